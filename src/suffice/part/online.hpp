// A Part that learns and scores one row at a time: what it has seen stays exact, and what scoring needs is kept ready
// beside it.
//
// Forgetting costs nothing per row: instead of shrinking all that came before, later rows weigh more. `unit` is what a
// row of weight one weighs by now.
#pragma once
#include <memory>
#include <span>

#include "suffice/part/part.hpp"

namespace suffice {

class OnlinePart {
public:
    virtual ~OnlinePart() = default;
    // Can this row be learned? Called before each learn(), so that all Parts learn a row or none does.
    virtual Result<void> check(std::span<const double> row, std::size_t of_class, double weight) = 0;
    virtual void learn(std::span<const double> row, std::size_t of_class, double weight) = 0;
    // Adds log p(columns | class) for each class that has rows; of others it may add anything finite.
    virtual Result<void> add(std::span<const double> row, double unit, std::span<double> joint) = 0;
    virtual void scale(double factor) = 0;
    virtual const Part& part() const = 0;  // what it has seen
};

// Gaussian columns cost O(classes x columns) per row. Full covariances, own or shared, cost O(d^2) to learn and
// O(classes x d^2) to score: the factor of the scatter is updated by rank one. Other Parts are estimated again when a
// row is scored after one was learned.
std::unique_ptr<OnlinePart> make_online(Part part, const Settings& settings, const Schema& schema);

// Of a covariance that is neither shrunk nor mixed; complete rows only. Until a group of classes has twice as many rows
// as columns these are independent; then its scatter is factorised once, with the floor of the batch estimate where it
// is singular.
std::unique_ptr<OnlinePart> make_online_covariance(Part part, const Settings& settings, const Schema& schema);

}  // namespace suffice
