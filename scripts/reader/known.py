"""What Kith's tables know of words, from the Go program that the tagger shares its answers with."""

import json
import pathlib
import subprocess


class Known:
    """Runs ./features. count is the number of features."""

    def __init__(self, root: pathlib.Path):
        command = ["go", "run", "./scripts/reader/features"]
        self.process = subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.count = int(self.process.stdout.readline())
        self.answers: dict[tuple[str, ...], list[list[int]]] = {}

    def features(self, prompts: list[list[str]]) -> list[list[list[int]]]:
        """Returns the features of each word of prompts."""
        new = [tuple(p) for p in prompts if tuple(p) not in self.answers]
        for words in dict.fromkeys(new):
            self.process.stdin.write(json.dumps(words) + "\n")
            self.process.stdin.flush()
            self.answers[words] = [f or [] for f in json.loads(self.process.stdout.readline())]
        return [self.answers[tuple(p)] for p in prompts]
