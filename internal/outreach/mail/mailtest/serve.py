"""Serves SMTP with aiosmtpd, and writes each message as JSON.

Python's own parser reads the messages, independent of their writer. The first line of output is the port.
"""

import argparse
import asyncio
import email
import json
import pathlib
import ssl
from email import policy

from aiosmtpd.smtp import SMTP, AuthResult

args = argparse.ArgumentParser()
args.add_argument("--security", choices=["none", "starttls", "tls"], required=True)
args.add_argument("--certificate", help="PEM file with the certificate and its key")
args.add_argument("--login", help="NAME:PASSWORD")
args.add_argument("--refuse", help="address to refuse")
args.add_argument("directory", type=pathlib.Path)
args = args.parse_args()


def describe(transport, session, envelope):
    message = email.message_from_bytes(envelope.original_content, policy=policy.default)
    leaves = [part for part in message.walk() if not part.is_multipart()]
    return {
        "from": envelope.mail_from,
        "to": envelope.rcpt_tos,
        "tls": transport.get_extra_info("ssl_object") is not None,
        "login": session.auth_data or "",
        "kind": message.get_content_type(),
        "headers": [[name, str(value)] for name, value in message.items()],
        "parts": [{"kind": p.get_content_type(), "text": p.get_content()} for p in leaves],
        "defects": [str(d) for part in message.walk() for d in part.defects]
        + [str(d) for value in message.values() for d in value.defects],
        "longest_line": max(len(line) for line in envelope.original_content.split(b"\r\n")),
        "ascii": envelope.original_content.isascii(),
        "bare_line_ends": envelope.original_content.replace(b"\r\n", b"").count(b"\n"),
    }


class Handler:
    count = 0

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address == args.refuse:
            return "550 5.1.1 no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        Handler.count += 1
        path = args.directory / f"{Handler.count:06}.json"
        path.with_suffix(".new").write_text(json.dumps(describe(server.transport, session, envelope)))
        path.with_suffix(".new").rename(path)
        return "250 taken"


def authenticate(server, session, envelope, mechanism, data):
    given = b":".join((data.login, data.password)).decode()
    return AuthResult(success=given == args.login, handled=False, auth_data=data.login.decode())


async def main():
    context = None
    if args.certificate:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(args.certificate)
    start_tls = context if args.security == "starttls" else None

    def session():
        return SMTP(
            Handler(),
            hostname="mail.test",
            tls_context=start_tls,
            require_starttls=start_tls is not None,
            # With TLS from the start it does not know that there is TLS.
            auth_require_tls=args.security != "tls",
            authenticator=authenticate if args.login else None,
            auth_required=bool(args.login),
        )

    server = await asyncio.get_running_loop().create_server(
        session, "127.0.0.1", 0, ssl=context if args.security == "tls" else None
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
