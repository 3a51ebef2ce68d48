#!/usr/bin/env python3
"""An endpoint like OpenAI's that gives the recorded answers of a language model.

  python3 replay.py ANSWERS... --port PORT [--corrections FILE]

ANSWERS are files with an object {"prompt", "answer", "second"} per line; "second", which may lack, is the answer to a
correction. Kith reads prompts with it when started with

  KITH_LLM_URL=http://127.0.0.1:PORT/v1 KITH_LLM_MODEL=recorded kith serve --demo

A prompt that nobody recorded gets 404. A correction without a second answer gets the first one again, and is appended
to FILE with the reason, so that the model can be asked for it: recordings are made in two passes.
"""
import argparse, http.server, json, re


def recorded(files):
    answers = {}
    for name in files:
        with open(name, encoding='utf-8') as f: answers.update((a['prompt'].strip(), a) for a in map(json.loads, f))
    return answers


def replay(answers, corrections):
    class Endpoint(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            talk = json.loads(self.rfile.read(int(self.headers['Content-Length'])))['messages']
            prompt = re.fullmatch(r'<prompt>\n(.*)\n</prompt>', talk[1]['content'], re.S).group(1).strip()
            known = answers.get(prompt)
            if known is None: return self.send_error(404, 'nobody recorded an answer')
            again = len(talk) > 2
            if again and 'second' not in known and corrections:
                with open(corrections, 'a', encoding='utf-8') as f:
                    f.write(json.dumps(known | {'correction': talk[-1]['content']}, ensure_ascii=False) + '\n')
            content = known.get('second', known['answer']) if again else known['answer']
            body = json.dumps({'choices': [{'message': {'role': 'assistant', 'content': content}}]}).encode()
            self.send_response(200)
            self.send_header('Content-Type', 'application/json')
            self.send_header('Content-Length', str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_): pass

    return Endpoint


if __name__ == '__main__':
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument('answers', nargs='+')
    args.add_argument('--port', type=int, required=True)
    args.add_argument('--corrections')
    given = args.parse_args()
    at = ('127.0.0.1', given.port)
    http.server.ThreadingHTTPServer(at, replay(recorded(given.answers), given.corrections)).serve_forever()
