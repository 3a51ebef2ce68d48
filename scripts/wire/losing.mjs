// A proxy before a server, which can lose the server's answers as a network does.
import { createServer, request } from "node:http";

// losing returns the proxy's address and its faults: cut(n) ends the next stream after n people, hold() keeps the next
// one from beginning until release(), and lose() and find() take the server away and bring it back.
export async function losing(url) {
  const faults = { people: Infinity, held: null, lost: false };
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
    cut(people) { faults.people = people; },
    hold() { faults.held = new Promise((done) => { faults.release = done; }); },
    release() {
      faults.held = null;
      faults.release();
    },
    lose() { faults.lost = true; },
    find() { faults.lost = false; },
    close() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

// pass sends a stream on, event by event, and ends it after so many people.
async function pass(got, answer, faults) {
  await faults.held;
  let left = faults.people;
  faults.people = Infinity;
  let rest = "";
  for await (const piece of got.setEncoding("utf8")) {
    const events = (rest + piece).split("\n\n");
    rest = events.pop();
    for (const event of events) {
      if (/^event: result$/m.test(event) && left-- === 0) {
        answer.destroy();
        return;
      }
      answer.write(`${event}\n\n`);
    }
  }
  answer.end(rest);
}
