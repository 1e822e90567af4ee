"""The reference of C++ says what the public headers declare, and nothing of what is private to them."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import cpp_reference  # noqa: E402


def test_each_public_header_has_a_section_with_its_functions():
    text = cpp_reference.reference()
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == cpp_reference.public_headers()
    for declared in ("Result<Model> load(const std::string& path);", "Data(std::vector<std::string> files);",
                     "Result<Matrix> posteriors(const Block& x, const Context& context = {}) const;",
                     "    const Kind* as() const;", "struct FitOptions", "class RowScorer {", '#define SUFFICE_VERSION_MAJOR'):
        assert declared in text, declared


def test_bodies_private_members_and_tables_of_settings_are_left_out():
    blocks = re.findall(r"```c\+\+\n(.*?)```", cpp_reference.reference(), re.DOTALL)
    for line in "".join(blocks).splitlines():
        code = line.split("//")[0]
        assert not re.search(r"return |\w_;|^private|fields\b|SettingCodec|enum_names|#pragma", code), line


def test_braces_are_closed_in_every_section():
    for section in cpp_reference.reference().split("\n## "):
        code = re.sub(r"//.*", "", section)
        assert code.count("{") == code.count("}") and code.count("(") == code.count(")"), section[:200]
