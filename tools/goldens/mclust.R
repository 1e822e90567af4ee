# Writes tests/goldens/mclust_*.csv: log-likelihoods and BIC of mclust's fourteen structures.
#   mclust_data/NAME.csv        the data sets, as clustering reads them (banknote and galaxies come with R packages)
#   mclust_start.csv            EM from a stated partition, run until it stands still: data, structure, groups, value
#   mclust_labeled.csv          the M-step from the known classes alone (EDDA)
#   mclust_best.csv             what mclust's own starts come to
#   mclust_da.csv               MclustDA: the structure and number of components of each class by BIC ("XXX": one component)
# Usage: Rscript tools/goldens/mclust.R OUTPUT_FOLDER
suppressMessages({library(mclust); library(MASS)})
arguments <- commandArgs(trailingOnly = TRUE)
out <- arguments[1]
data(banknote); data(thyroid, package = "mclust"); data(diabetes, package = "mclust")
sets <- list(
  iris = list(x = iris[, 1:4], class = iris$Species), diabetes = list(x = diabetes[, -1], class = diabetes[, 1]),
  banknote = list(x = banknote[, -1], class = banknote[, 1]), thyroid = list(x = thyroid[, -1], class = thyroid[, 1]),
  faithful = list(x = faithful, class = factor(ifelse(faithful$eruptions > 3, "long", "short"))),
  galaxies = list(x = data.frame(velocity = galaxies / 1000), class = NULL))
dir.create(file.path(out, "mclust_data"), showWarnings = FALSE)
control <- emControl(tol = c(1e-13, 1e-13), itmax = c(20000, 5000))
structures <- c("EII", "VII", "EEI", "VEI", "EVI", "VVI", "EEE", "VEE", "EVE", "VVE", "EEV", "VEV", "EVV", "VVV")
start <- labeled <- best <- by_class <- NULL
for (name in names(sets)) {
  x <- as.matrix(sets[[name]]$x); class <- sets[[name]]$class
  table <- as.data.frame(x)
  if (!is.null(class)) table$class <- class
  write.csv(table, file.path(out, "mclust_data", paste0(name, ".csv")), row.names = FALSE, quote = FALSE)
  own <- if (ncol(x) == 1) c("E", "V") else structures
  if (!is.null(class)) for (s in structures) {
    z <- unmap(class)
    m <- mstep(modelName = s, data = x, z = z, control = control)
    value <- do.call("estep", c(list(data = x), m))
    # the joint likelihood of rows and classes
    densities <- do.call("cdens", c(list(data = x, logarithm = TRUE), m))
    joint <- sum((densities + matrix(log(m$parameters$pro), nrow(x), ncol(z), byrow = TRUE)) * z)
    labeled <- rbind(labeled, data.frame(data = name, structure = s, log_likelihood = joint,
                                         parameters = nMclustParams(s, ncol(x), ncol(z))))
    fit <- try(me(modelName = s, data = x, z = z, control = control), silent = TRUE)
    if (!inherits(fit, "try-error") && is.finite(fit$loglik))
      start <- rbind(start, data.frame(data = name, structure = s, k = ncol(z), log_likelihood = fit$loglik,
                                       bic = -bic(s, fit$loglik, nrow(x), ncol(x), ncol(z))))
  }
  if (!is.null(class)) {
    models <- MclustDA(x, class, verbose = FALSE)$models
    for (c in names(models)) by_class <- rbind(by_class, data.frame(data = name, class = c, structure = models[[c]]$modelName,
      k = models[[c]]$G, rows = models[[c]]$n, log_likelihood = models[[c]]$loglik,
      parameters = nMclustParams(models[[c]]$modelName, ncol(x), models[[c]]$G)))
  }
  found <- mclustBIC(x, G = 1:6, modelNames = own, verbose = FALSE)
  for (s in own) for (k in 1:6) {
    value <- found[as.character(k), s]
    if (is.na(value)) next
    best <- rbind(best, data.frame(data = name, structure = s, k = k, bic = -value,
                                   log_likelihood = (value + nMclustParams(s, ncol(x), k) * log(nrow(x))) / 2))
  }
}
write.csv(format(start, digits = 15), file.path(out, "mclust_start.csv"), row.names = FALSE, quote = FALSE)
write.csv(format(labeled, digits = 15), file.path(out, "mclust_labeled.csv"), row.names = FALSE, quote = FALSE)
write.csv(format(best, digits = 15), file.path(out, "mclust_best.csv"), row.names = FALSE, quote = FALSE)
write.csv(format(by_class, digits = 15), file.path(out, "mclust_da.csv"), row.names = FALSE, quote = FALSE)
