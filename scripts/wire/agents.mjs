// Calls kith's tools with the official TypeScript SDK of MCP, over HTTP and over standard input.
//
// agents.mjs URL KITH DATA: a server with the demo, the program, its data directory.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [url, kith, data] = process.argv.slice(2);

async function use(transport, tools) {
  const client = new Client({ name: 'wire', version: '0' });
  await client.connect(transport);
  const call = async (name, args = {}) => {
    const result = await client.callTool({ name, arguments: args }); // checks the answer against the output schema
    assert.ok(!result.isError, `${name}: ${JSON.stringify(result.content)}`);
    return result.structuredContent;
  };
  assert.equal((await client.listTools()).tools.length, tools);
  const found = await call('search_people', { prompt: 'engineers in Berlin', explain: true, limit: 5 });
  assert.equal(found.people.length, 5);
  const next = await call('search_people', { cursor: found.next_cursor });
  assert.ok(!next.people.some((p) => found.people.some((q) => q.id === p.id)), 'the next page has other people');
  const person = await call('get_person', { person: found.people[0].id });
  assert.equal(person.name, found.people[0].name);
  const { relationships } = await call('list_relationships', { limit: 1 });
  const { people } = await call('find_paths', { person: relationships[0].person_id });
  assert.equal(people[0].paths[0].type, 'direct');
  const { sequences } = await call('list_sequences');
  await call('read_sequence', { sequence_id: sequences[0].id });
  await call('explain_search', { prompt: 'people I know in Berlin' });
  await call('list_drafts');
  await call('list_lists');
  const refused = await client.callTool({ name: 'search_people', arguments: { filters: { colour: 'red' } } });
  assert.ok(refused.isError && refused.content[0].text.includes('colour'), JSON.stringify(refused));
  await client.close();
}

const headers = { Authorization: 'Bearer demo_token_global' };
await use(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }), 10);
const stranger = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: { Authorization: 'Bearer x' } } });
await assert.rejects(() => use(stranger, 10), 'an invalid token was accepted');
const args = ['mcp', '--demo', '--user', 'demo', '--data', data];
await use(new StdioClientTransport({ command: kith, args, stderr: 'inherit' }), 10);
await use(new StdioClientTransport({ command: kith, args: [...args, '--write'], stderr: 'inherit' }), 14);
console.log('search, person, paths, relationships, lists and sequences, over HTTP and standard input');
