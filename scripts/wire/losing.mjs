// A proxy before a server, which can lose the server's answers as a network does.
import { createServer, request } from "node:http";

// losing returns the proxy's address and its faults: hold(n) stops the next stream after n people, until release() lets
// it go on or cut() ends it; lose() and find() take the server away and bring it back.
export async function losing(url) {
  const faults = { held: null, lost: false };
  const proxy = createServer((asked, answer) => {
    if (faults.lost) {
      asked.socket.destroy();
      return;
    }
    const sent = request(url + asked.url, { method: asked.method, headers: asked.headers }, (got) => {
      answer.writeHead(got.statusCode, got.headers);
      const streams = `${got.headers["content-type"]}`.startsWith("text/event-stream");
      if (streams) pass(got, answer, faults).catch(() => answer.destroy()); // the page left
      else got.pipe(answer);
    });
    sent.on("error", () => answer.destroy());
    answer.on("close", () => sent.destroy());
    asked.pipe(sent);
  });
  await new Promise((done) => { proxy.listen(0, "127.0.0.1", done); });
  return {
    url: `http://127.0.0.1:${proxy.address().port}`,
    hold(people) {
      const held = new Promise((done) => {
        faults.release = () => done(true);
        faults.cut = () => done(false);
      });
      faults.held = { people, goesOn: held };
    },
    release() { faults.release(); },
    cut() { faults.cut(); },
    lose() { faults.lost = true; },
    find() { faults.lost = false; },
    close() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

// pass sends a stream on, event by event, and holds it after so many people.
async function pass(got, answer, faults) {
  const { held } = faults;
  faults.held = null;
  let people = 0;
  let rest = "";
  for await (const piece of got.setEncoding("utf8")) {
    const events = (rest + piece).split("\n\n");
    rest = events.pop();
    for (const event of events) {
      const isPerson = /^event: result$/m.test(event);
      if (isPerson && people++ === held?.people && !await held.goesOn) {
        answer.destroy();
        return;
      }
      answer.write(`${event}\n\n`);
    }
  }
  answer.end(rest);
}
