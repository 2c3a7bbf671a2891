"""Runs the notebooks of `examples/notebooks` in this interpreter; with `--write`, stores their outputs.

A notebook whose code fails ends the run. The outputs that are stored are those of the last `--write`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[3] / "examples" / "notebooks"


def main(arguments: list[str]) -> None:
    files = sorted(FOLDER.glob("*.ipynb"))
    if not files:
        raise SystemExit(f"no notebooks in {FOLDER.name}")
    for file in files:
        notebook = nbformat.read(file, as_version=4)
        NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}).execute()
        print(f"{file.name}: {sum(cell.cell_type == 'code' for cell in notebook.cells)} cells")
        if "--write" in arguments:
            for cell in notebook.cells:
                cell.metadata.pop("execution", None)
            nbformat.write(notebook, file)


if __name__ == "__main__":
    main(sys.argv[1:])
