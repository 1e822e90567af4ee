# DeLong's interval of the area under the ROC curve (pROC), slope and intercept of the calibration line (glm) and R's
# bandwidth nrd0: rows and values for tests/python/test_statistics_rules.py.
# usage: Rscript tools/goldens/calibration_line.R tests/goldens
suppressMessages(library(pROC))
folder <- commandArgs(trailingOnly = TRUE)[1]
set.seed(7)
n <- 120
z <- round(rnorm(n), 2)
p <- plogis(round(1.6 * z - 0.3, 3))
y <- rbinom(n, 1, plogis(z))
write.csv(data.frame(p = format(p, digits = 17), y = y), file.path(folder, "calibration_rows.csv"), row.names = FALSE, quote = FALSE)
area <- ci.auc(roc(y, p, quiet = TRUE, direction = "<"))
both <- glm(y ~ qlogis(p), family = binomial, control = list(epsilon = 1e-14))
large <- glm(y ~ 1, offset = qlogis(p), family = binomial, control = list(epsilon = 1e-14))
error <- function(fit) sqrt(diag(vcov(fit)))
values <- c(auc = area[2], low = area[1], high = area[3], slope = coef(both)[[2]], slope_se = error(both)[[2]],
            intercept = coef(both)[[1]], intercept_se = error(both)[[1]], in_the_large = coef(large)[[1]],
            in_the_large_se = error(large)[[1]], nrd0 = bw.nrd0(z), nrd0_p = bw.nrd0(p))
write.csv(data.frame(name = names(values), value = format(values, digits = 15)),
          file.path(folder, "calibration_values.csv"), row.names = FALSE, quote = FALSE)
