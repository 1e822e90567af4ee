# Writes tests/goldens/bandwidth_values.csv: bandwidths of R's bw.SJ, with the root to its last digits.
#
# usage: Rscript tools/goldens/bandwidth.R      (from the root of the repository; needs r-base-core)
# bw.SJ stops at a hundredth of its search interval unless tol says otherwise.
draws <- function(n, seed) {  # a generator that any program can repeat
    state <- seed
    u <- numeric(n)
    for (i in seq_len(n)) {
        state <- (state * 16807) %% 2147483647
        u[i] <- state / 2147483647
    }
    u
}
samples <- list(eruptions = faithful$eruptions, waiting = faithful$waiting, precipitation = as.numeric(precip),
                normal_50 = qnorm(draws(50, 7)), skewed_2000 = -log(draws(2000, 11)))
cat("name,bandwidth\n", file = "tests/goldens/bandwidth_values.csv")
cat("name,value\n", file = "tests/goldens/bandwidth_rows.csv")
for (name in names(samples)) {
    x <- samples[[name]]
    cat(sprintf("%s,%.15g\n", name, bw.SJ(x, tol = 1e-13)), file = "tests/goldens/bandwidth_values.csv", append = TRUE)
    cat(sprintf("%s,%.17g\n", name, x), sep = "", file = "tests/goldens/bandwidth_rows.csv", append = TRUE)
}
