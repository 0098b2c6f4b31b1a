"""A locale in which numbers read "1.234,5" and the capital of i is not I, made where no locale is installed."""

import os
import pathlib
import subprocess

NAME = "comma"  # a name with a full stop has a character set behind it
# ISO 8859-9 has the Turkish letters, the capital I with a dot and the small i without, in place of two Icelandic ones.
TURKISH = {0xDD: 0x130, 0xFD: 0x131}
SOURCE = """
LC_CTYPE
upper {capitals};<U0130>
lower {small};<U0131>
toupper (<U0069>,<U0130>);{to_upper}
tolower (<U0049>,<U0131>);{to_lower}
END LC_CTYPE
LC_NUMERIC
decimal_point ","
thousands_sep "."
grouping 3;3
END LC_NUMERIC
"""


def code(letter):
    return f"<U{ord(letter):04X}>"


def write_character_set(path):
    lines = ["<code_set_name> ISO-8859-9", "<mb_cur_min> 1", "<mb_cur_max> 1", "<comment_char> %", "<escape_char> /",
             "CHARMAP"]  # fmt: skip
    lines += [f"<U{TURKISH.get(byte, byte):04X}> /x{byte:02x} character" for byte in range(256)]
    path.write_text("\n".join([*lines, "END CHARMAP", ""]))


def write_source(path):
    small = [chr(byte) for byte in range(ord("a"), ord("z") + 1)]
    others = [letter for letter in small if letter != "i"]
    path.write_text(SOURCE.format(
        capitals=";".join(code(letter.upper()) for letter in small), small=";".join(map(code, small)),
        to_upper=";".join(f"({code(letter)},{code(letter.upper())})" for letter in others),
        to_lower=";".join(f"({code(letter.upper())},{code(letter)})" for letter in others)))  # fmt: skip


def environment_with_locale(folder, library):
    """Returns the environment of processes in the locale. It is made in `folder` by the C library's own localedef;
    `library` is other_locale.cc."""
    folder = pathlib.Path(folder)
    write_character_set(folder / "characters")
    write_source(folder / "source")
    # The exit code is 1 if categories are left out, as most are here.
    run = subprocess.run(["localedef", "-c", "-i", folder / "source", "-f", folder / "characters", folder / NAME],
                         capture_output=True, text=True)  # fmt: skip
    assert run.returncode in (0, 1) and (folder / NAME / "LC_NUMERIC").exists(), run.stderr
    return {**os.environ, "LOCPATH": str(folder), "ASSAY_TEST_LOCALE": NAME, "LD_PRELOAD": str(library),
            # The C library keeps a text of LOCPATH for ever.
            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0:detect_leaks=0"}  # fmt: skip
