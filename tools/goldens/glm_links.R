# Writes tests/goldens/glm_links.csv: versicolor against virginica on two columns by a probit (R's glm) and by Firth's
# penalty (brglm2), and separated rows (setosa against the others) by Firth's. Two columns, an offset and weights for glm.
library(brglm2)
rows <- read.csv("data/iris.csv")
two <- rows[rows$species != "setosa", ]
two$y <- as.integer(two$species == "virginica")
rows$y <- as.integer(rows$species != "setosa")
weights <- 1 + (seq_len(nrow(two)) - 1) %% 3
control <- glm.control(epsilon = 1e-15, maxit = 200)
# Exact scores solve Firth's equations to this size.
reduced <- brglmControl(epsilon = 1e-13, maxit = 1000, type = "AS_mean")
fits <- list(
  probit = glm(y ~ sepal_length + petal_width, binomial(probit), two, weights = weights, control = control),
  firth = glm(y ~ sepal_length + petal_width, binomial, two, method = "brglmFit", control = reduced),
  firth_separated = glm(y ~ sepal_length + petal_width, binomial, rows, method = "brglmFit", control = reduced),
  offset = glm(y ~ petal_length + petal_width, binomial, two, offset = sepal_length, control = control))
# summary() has the standard errors of the step before the last: one more step from the answer brings those of the answer.
fits$probit <- update(fits$probit, start = coef(fits$probit))
fits$offset <- update(fits$offset, start = coef(fits$offset))
# Of the likelihood, also for Firth's penalty; fitted to the end, as it is not closed with an offset.
nulls <- list(
  probit = glm(y ~ 1, binomial(probit), two, weights = weights, control = control),
  firth = glm(y ~ 1, binomial, two, control = control),
  firth_separated = glm(y ~ 1, binomial, rows, control = control),
  offset = glm(y ~ 1, binomial, two, offset = sepal_length, control = control))
for (name in c("probit", "offset")) stopifnot(abs(deviance(nulls[[name]]) - fits[[name]]$null.deviance) < 1e-6)
lines <- "fit,name,coefficient,standard_error,deviance,null_deviance"
for (name in names(fits)) {
  fit <- fits[[name]]
  table <- summary(fit)$coefficients
  lines <- c(lines, sprintf("%s,%s,%.17g,%.17g,%.17g,%.17g", name, rownames(table), table[, 1], table[, 2], deviance(fit),
                            deviance(nulls[[name]])))
}
writeLines(lines, "tests/goldens/glm_links.csv")
