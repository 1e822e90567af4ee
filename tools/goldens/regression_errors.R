# Writes tests/goldens/regression_errors.csv: what R says of logistic regressions beside their estimates. Robust errors
# (sandwich), profile intervals and likelihood-ratio tests (glm), Firth's penalty of several classes (brglm2) and of
# two (written out), coefficients that cannot be estimated (glm). Run in the project's root:
#   Rscript tools/goldens/regression_errors.R
# What it needs: tools/bootstrap goldens
suppressMessages({library(sandwich); library(brglm2)})
rows <- list()
tell <- function(case, name, value) rows[[length(rows) + 1]] <<- data.frame(case = case, name = name, value = value)
tell_all <- function(case, values) for (name in names(values)) tell(case, name, values[[name]])
control <- glm.control(epsilon = 1e-14, maxit = 200)

flowers <- read.csv("tests/goldens/mclust_data/iris.csv")
names(flowers) <- c(paste0("x", 1:4), "class")[seq_along(flowers)]
two <- flowers[flowers$class != flowers$class[1], ]
two$y <- as.numeric(two$class == tail(two$class, 1))
set.seed(1)
two$w <- c(0.5, 1, 2, 3.5)[1 + seq_len(nrow(two)) %% 4]
two$times <- 1 + seq_len(nrow(two)) %% 3
fit <- glm(y ~ x1 + x2 + x3, binomial, two, control = control)
tell_all("robust", sqrt(diag(sandwich(fit))))
times <- glm(y ~ x1 + x2 + x3, binomial, two[rep(seq_len(nrow(two)), two$times), ], control = control)
tell_all("robust_copies", sqrt(diag(sandwich(times))))
weighted <- suppressWarnings(glm(y ~ x1 + x2 + x3, binomial, two, weights = w, control = control))
tell_all("importance_coefficient", coef(weighted))
tell_all("importance", sqrt(diag(sandwich(weighted))))

# Ends of the profile: the value at which the deviance without that coefficient has risen by the quantile.
ends <- function(deviance_at, estimate, error, least) {
    rise <- function(value) deviance_at(value) - least - qchisq(0.95, 1)
    c(uniroot(rise, c(estimate - 12 * error, estimate), tol = 1e-11)$root,
      uniroot(rise, c(estimate, estimate + 12 * error), tol = 1e-11)$root)
}
X <- model.matrix(fit)
for (j in seq_along(coef(fit))) {
    at <- function(value) glm.fit(X[, -j], two$y, offset = value * X[, j], family = binomial(), control = control)$deviance
    both <- ends(at, coef(fit)[j], sqrt(vcov(fit)[j, j]), fit$deviance)
    tell("profile_low", names(coef(fit))[j], both[1])
    tell("profile_high", names(coef(fit))[j], both[2])
}
tests <- drop1(fit, test = "LRT")
tell_all("tests", setNames(tests$LRT[-1], rownames(tests)[-1]))
tell_all("tests_p", setNames(tests$`Pr(>Chi)`[-1], rownames(tests)[-1]))

# Firth of two classes, by R's own optimizer on the penalised likelihood.
penalised <- function(beta) {
    a <- drop(X %*% beta)
    information <- crossprod(X * sqrt(plogis(a) * plogis(-a)))
    -2 * (sum(plogis(ifelse(two$y == 1, a, -a), log.p = TRUE)) + determinant(information)$modulus[1] / 2)
}
units <- c(10, 1, 1, 1)
least <- function(start, free, fixed) { # the other coefficients move along the ridge that the fixed one sets
    run <- function(from) optim(from, function(b) { all <- fixed; all[free] <- b * units[free]; penalised(all) }, method = "BFGS",
                                control = list(reltol = 1e-16, maxit = 5000, ndeps = rep(1e-5, sum(free))))
    found <- run(start[free] / units[free])
    for (again in 1:4) found <- run(found$par)
    found
}
all_free <- rep(TRUE, 4)
whole <- least(coef(fit), all_free, rep(0, 4))
firth <- whole$par * units
tell_all("firth", setNames(firth, names(coef(fit))))
for (j in 3:4) {
    free <- all_free; free[j] <- FALSE
    at <- function(value) { fixed <- rep(0, 4); fixed[j] <- value; least(firth, free, fixed)$value }
    both <- ends(at, firth[j], sqrt(vcov(fit)[j, j]) / 3, whole$value) # within four errors
    tell("firth_profile_low", names(coef(fit))[j], both[1])
    tell("firth_profile_high", names(coef(fit))[j], both[2])
    tell("firth_tests", names(coef(fit))[j], at(0) - whole$value)
}

# Several classes.
patients <- read.csv("tests/goldens/mclust_data/diabetes.csv")
names(patients) <- c(paste0("x", 1:3), "class")
patients$class <- factor(patients$class)
patients[, 1:3] <- scale(patients[, 1:3]) # so that R's search ends where it should
reduced <- brmultinom(class ~ x1 + x2 + x3, patients, type = "AS_mean", epsilon = 1e-12, maxit = 1000)
found <- coef(reduced)
for (class in rownames(found)) for (name in colnames(found)) tell(paste0("firth_of_three ", class), name, found[class, name])

# A column that is the sum of two others, in the middle, and one twice another behind it.
aliased <- transform(two, s = x1 + x2, t = 2 * x3)
told <- coef(glm(y ~ x1 + x2 + s + x3 + t, binomial, aliased, control = glm.control(epsilon = 1e-10)))
for (name in names(told)) tell("aliased", name, told[[name]])
write.csv(do.call(rbind, rows), "tests/goldens/regression_errors.csv", row.names = FALSE, quote = FALSE)
