# Writes tests/goldens/glm_iris.csv: logistic regression of versicolor against virginica by R's glm, to its last digits.
rows <- read.csv("data/iris.csv")
rows <- rows[rows$species != "setosa", ]
rows$y <- as.integer(rows$species == "virginica")
rows$species <- NULL
fit <- glm(y ~ ., binomial, rows, control = glm.control(epsilon = 1e-15, maxit = 100))
table <- summary(fit)$coefficients
lines <- c(sprintf("%s,%.17g,%.17g,%.17g,%.17g", rownames(table), table[, 1], table[, 2], table[, 3], table[, 4]),
           sprintf("deviance,%.17g,%.17g,%.17g,%.17g", deviance(fit), fit$null.deviance, AIC(fit), BIC(fit)))
writeLines(c("name,coefficient,standard_error,z,p_value", lines), "tests/goldens/glm_iris.csv")
