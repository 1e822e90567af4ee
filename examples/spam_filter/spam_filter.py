"""From a directory of mail to a filter: fitted from files in constant memory, updated with new mail, able to forget one.

usage: spam_filter.py FOLDER    (with one folder of mail per class; without FOLDER a small one is made)
"""
import pathlib
import subprocess
import sys
import tempfile

SPAM = ["win money now", "cheap pills, buy now", "you have won a prize, claim your money", "buy cheap watches",
        "free money, click now"]
HAM = ["minutes of the meeting on monday", "lunch on monday?", "the report is attached", "see you at the meeting",
       "your train leaves at nine"]


def make_mail(folder):
    for kind, mails in {"spam": SPAM, "ham": HAM}.items():
        (folder / kind).mkdir(parents=True)
        for number, text in enumerate(mails):
            (folder / kind / f"{number}.txt").write_text(text + "\n")
    return folder


def suffice(*words, stdin=None):
    return subprocess.run(["suffice", *map(str, words)], input=stdin, text=True, capture_output=True, check=True).stdout


def main():
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        mail = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else make_mail(place / "mail")
        model = place / "filter.suf"
        suffice("fit", mail, "--model", "multinomial_nb", "--quiet", "-o", model)

        def chance_of_spam(text):
            line = suffice("predict", model, "-", "--proba", stdin=f'text\n"{text}"\n').splitlines()[1]
            return float(line.split(",")[-1])

        print(f"claim your free pills: {chance_of_spam('claim your free pills'):.3f}")
        print(f"the meeting at nine:   {chance_of_spam('the meeting at nine'):.3f}")

        new = place / "new.tsv"
        new.write_text("class\ttext\nham\tclaim your free seat at the meeting\n")
        before = chance_of_spam("claim your free seat")
        suffice("update", model, new)
        after = chance_of_spam("claim your free seat")
        suffice("forget", model, new)
        print(f"claim your free seat:  {before:.3f}, with one more mail {after:.3f}, forgotten again "
              f"{chance_of_spam('claim your free seat'):.3f}")


if __name__ == "__main__":
    main()
