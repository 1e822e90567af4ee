# Writes tests/goldens/mass_iris.csv and mass_crabs.csv: posteriors of R's MASS, plug-in, predictive and leave-one-out.
#
# usage: Rscript tools/goldens/mass.R      (from the root of the repository; needs r-base-core and r-cran-mass)
# MASS keeps the class priors of all rows when it leaves one out, and divides scatters by n - classes (lda) or n - 1.
#
# MASS 7.3-58 gives the predictive of its own documentation (Ripley 1996, sec. 2.4) in one case only, qda fitted by
# method = "mle" to classes of equal size: with the default moment fit predict.qda mixes divisors, it leaves out the
# gamma functions that differ between sizes, and predict.lda rescales rows but not means and measures distances among
# the discriminants only. So qda is fitted by "mle", and for lda its formula is written out with the whole distance.
library(MASS)

shared_predictive <- function(x, g) {
    n <- nrow(x)
    counts <- table(g)
    centred <- x - apply(x, 2, function(column) ave(column, g))
    covariance <- crossprod(centred) / n
    density <- sapply(levels(g), function(class) {
        size <- counts[[class]]
        distance <- mahalanobis(x, colMeans(x[g == class, ]), covariance)
        size / n * (size / (size + 1))^(ncol(x) / 2) *
            (1 + distance * size / (n * (size + 1)))^(-(n - nlevels(g) + 1) / 2)
    })
    density / rowSums(density)
}

posteriors <- function(x, g) {
    linear <- lda(x, g)
    quadratic <- qda(x, g)
    list(lda_plugin = predict(linear, x, method = "plug-in")$posterior,
         qda_plugin = predict(quadratic, x, method = "plug-in")$posterior,
         lda_predictive = shared_predictive(x, g),
         qda_predictive = predict(qda(x, g, method = "mle"), x, method = "predictive")$posterior,
         lda_left_out = lda(x, g, CV = TRUE)$posterior,
         qda_left_out = qda(x, g, CV = TRUE)$posterior)
}

write_goldens <- function(all, path) {
    lines <- paste(c("kind", "row", colnames(all[[1]])), collapse = ",")
    for (kind in names(all)) {
        cells <- apply(all[[kind]], 1, function(p) paste(sprintf("%.12g", p), collapse = ","))
        lines <- c(lines, paste(kind, seq_along(cells) - 1L, cells, sep = ","))
    }
    writeLines(lines, path)
}

flowers <- read.csv("data/iris.csv")
write_goldens(posteriors(as.matrix(flowers[, 1:4]), factor(flowers$species)), "tests/goldens/mass_iris.csv")
kinds <- factor(paste0(crabs$sp, crabs$sex))
write_goldens(posteriors(as.matrix(crabs[, 4:8]), kinds), "tests/goldens/mass_crabs.csv")
