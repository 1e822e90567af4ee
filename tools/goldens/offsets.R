# Writes tests/goldens/offsets.csv: regressions of iris with offsets by R's glm (probit), brglm2 (Firth's penalty), nnet
# (three classes, a column of offsets for each) and glmnet (lasso and elastic net, two and three classes).
library(brglm2)
library(nnet)
library(glmnet)
rows <- read.csv("data/iris.csv")
two <- rows[rows$species != "setosa", ]
two$y <- as.integer(two$species == "virginica")
control <- glm.control(epsilon = 1e-15, maxit = 200)
lines <- "fit,class,name,coefficient,standard_error,deviance,null_deviance"
add <- function(fit, class, name, coefficient, error, deviance, null)
  lines <<- c(lines, sprintf("%s,%s,%s,%.17g,%.17g,%.17g,%.17g", fit, class, name, coefficient, error, deviance, null))

by_glm <- function(name, fit, null) {
  fit <- update(fit, start = coef(fit))
  table <- summary(fit)$coefficients
  add(name, "virginica", rownames(table), table[, 1], table[, 2], deviance(fit), deviance(null))
}
by_glm("probit", glm(y ~ petal_length + petal_width, binomial(probit), two, offset = sepal_length, control = control),
       glm(y ~ 1, binomial(probit), two, offset = sepal_length, control = control))
reduced <- brglmControl(epsilon = 1e-13, maxit = 1000, type = "AS_mean")
by_glm("firth", glm(y ~ petal_length + petal_width, binomial, two, offset = sepal_length, method = "brglmFit", control = reduced),
       glm(y ~ 1, binomial, two, offset = sepal_length, control = control))

# Three classes that sepal_width does not separate; the other columns are the offsets of the classes.
offsets <- as.matrix(rows[, c("sepal_length", "petal_length", "petal_width")])
rows$species <- factor(rows$species)
several <- function(formula) multinom(formula, rows, maxit = 1000, reltol = 1e-15, abstol = 1e-8, trace = FALSE)
fit <- several(species ~ sepal_width + offset(offsets))
null <- several(species ~ 1 + offset(offsets))
# multinom's own Hessian stumbles over a matrix of offsets: the information by its definition.
x <- cbind(1, rows$sepal_width)
p <- fitted(fit)
information <- Reduce(`+`, lapply(seq_len(nrow(x)), function(i)
  kronecker(diag(p[i, -1]) - tcrossprod(p[i, -1]), tcrossprod(x[i, ]))))
errors <- matrix(sqrt(diag(solve(information))), ncol = 2, byrow = TRUE, dimnames = dimnames(coef(fit)))
for (class in rownames(coef(fit)))
  add("multinom", class, colnames(coef(fit)), coef(fit)[class, ], errors[class, ], deviance(fit), deviance(null))

# glmnet's lambda is per row; its lasso keeps some coefficients at zero. Alone, a small lambda does not converge.
sparse <- function(name, x, y, family, offset, alpha, lambda) {
  fit <- glmnet(x, y, family, offset = offset, alpha = alpha, lambda = lambda * 2^(7:0), standardize = FALSE,
                thresh = 1e-14, maxit = 1e6)
  found <- if (family == "binomial") list(virginica = c(fit$a0[8], fit$beta[, 8])) else
    mapply(function(beta, class) c(fit$a0[class, 8], beta[, 8]), fit$beta, names(fit$beta), SIMPLIFY = FALSE)
  for (class in names(found)) add(name, class, c("(Intercept)", colnames(x)), as.numeric(found[[class]]), NA, NA, NA)
}
x2 <- as.matrix(two[, c("sepal_width", "petal_length", "petal_width")])
x3 <- as.matrix(rows[, c("sepal_width", "sepal_length")])
sparse("lasso_two", x2, two$y, "binomial", two$sepal_length - 6, 1, 0.03)
sparse("net_two", x2, two$y, "binomial", two$sepal_length - 6, 0.5, 0.03)
matrix3 <- as.matrix(rows[, c("petal_width", "petal_length", "petal_width")]) %*% diag(c(0.5, 0.25, 1))
sparse("lasso_three", x3, rows$species, "multinomial", matrix3, 1, 0.05)
sparse("net_three", x3, rows$species, "multinomial", matrix3, 0.5, 0.05)
writeLines(lines, "tests/goldens/offsets.csv")
