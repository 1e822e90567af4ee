// suffice math: the small functions of the field, and what a distribution comes to.
#include "cli/options.hpp"
#include "cli/output.hpp"

#include "suffice/flow/calculate.hpp"

namespace suffice::cli {
namespace {

constexpr std::array math_options{
    OptionSpec{"--seed", "S", "of simulations: another seed, other draws (default 0)"},
    OptionSpec{"--json", "", "for programs: every digit"},
    OptionSpec{"--output", "FILE", "where it goes (default: standard output)", 'o'},
};

Result<void> run_math(const Arguments& arguments, const Context& context) {
    const auto told = calculate(arguments.files(), context);
    if (!told) return told.error();
    auto output = Output::open(arguments.text("--output"));
    if (!output) return output.error();
    const auto text = arguments.has("--json") ? calculation_json(*told) : calculation_text(*told);
    if (auto written = output->write(text); !written) return written;
    return output->finish();
}

}  // namespace

const Verb math_verb{
    "math",
    "TERM [TERM...]",
    "Tells what functions and distributions come to, as the models compute them.\n"
    "sigmoid(a, ...), logit(p, ...), softmax(a, ...) with their derivatives; robbins_monro(x, ...): the running\n"
    "estimate; hoeffding(n=, epsilon= or delta=, rules=, risk=): the bound of a risk, with a risk simulated too.\n"
    "A family with its parameter, such as gaussian(mean=0, variance=4): its exponential form, with gradient and\n"
    "Hessian of the log partition; with another one of the same family the divergence, with dispersion(s) that form.\n"
    "gaussian_vector(mean=[...], covariance=[[...]]) and behind it affine(matrix=, offset=, noise=, cross=),\n"
    "marginal(columns) or conditional(columns=[...], values=[...]); columns count from 1.\n"
    "A prior that is no family: dirichlet(...), normal(...), normal_gamma(...), wishart(degrees=, covariance=),\n"
    "normal_wishart(mean=, mean_weight=, degrees=, scatter=): its mean, its mode, credible intervals of 95 %.",
    "  suffice math \"sigmoid(-745, 0, 3)\"\n"
    "  suffice math \"softmax(1000, 1000, 999)\" --json\n"
    "  suffice math \"hoeffding(n=100, delta=0.05, rules=50, risk=0.3)\"\n"
    "  suffice math \"poisson(2)\" \"poisson(3)\"\n"
    "  suffice math \"exponential(0.5)\" \"dispersion(2)\"\n"
    "  suffice math \"gaussian_vector(mean=[1,2], covariance=[[2,0.5],[0.5,1]])\" \"conditional(columns=[2], "
    "values=[3])\"\n",
    {math_options, running_options, {}, {}},
    run_math};

}  // namespace suffice::cli
