// Scratch memory that one thread keeps from unit to unit, one object of each kind asked for. Never part of a result.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "suffice/base/type_key.hpp"

namespace suffice {

class Workspace {
public:
    template <class T>
    T& of() {
        const TypeKey wanted = type_key<T>();
        for (auto& [kind, object] : objects_)
            if (kind == wanted) return *static_cast<T*>(object.get());
        objects_.emplace_back(wanted, std::make_shared<T>());
        return *static_cast<T*>(objects_.back().second.get());
    }

private:
    std::vector<std::pair<TypeKey, std::shared_ptr<void>>> objects_;
};

}  // namespace suffice
