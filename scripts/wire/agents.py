"""Calls kith's tools with the official Python SDK of MCP, over HTTP and over standard input.

agents.py URL KITH DATA: a server with the demo, the program, its data directory.
"""
import asyncio
import sys

import httpx2
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

URL, KITH, DATA = sys.argv[1:4]
READING = {
    'explain_search', 'find_paths', 'get_person', 'list_drafts', 'list_lists', 'list_relationships', 'list_sequences',
    'read_list', 'read_sequence', 'search_people',
}
WRITING = {'add_to_sequence', 'draft_email', 'draft_introduction', 'save_to_list'}


async def call(session, tool, **arguments):
    result = await session.call_tool(tool, arguments)
    assert not result.is_error, (tool, result.content)
    return result.structured_content


async def use(session, tools):
    """Calls the tools as an agent does for a user who wants an introduction."""
    await session.initialize()
    offered = {tool.name for tool in (await session.list_tools()).tools}
    assert offered == tools, offered ^ tools
    found = await call(session, 'search_people', prompt='heads of data in Berlin', explain=True, limit=5)
    assert found['people'] and found['understood']['filters']['city'] == 'Berlin', found
    someone = found['people'][0]
    explained = await call(session, 'explain_search', prompt='heads of data in Berlin')
    assert explained['sql'] and explained['total'] == found['total'], explained
    person = await call(session, 'get_person', person=someone['id'])
    assert person['name'] == someone['name'] and person['jobs'], person
    known = await call(session, 'list_relationships', limit=3)
    assert len(known['relationships']) == 3, known
    ways = await call(session, 'find_paths', person=known['relationships'][0]['person_id'])
    assert ways['people'][0]['paths'][0]['type'] == 'direct', ways
    sequences = (await call(session, 'list_sequences'))['sequences']
    assert (await call(session, 'read_sequence', sequence_id=sequences[0]['id']))['leads'], sequences
    await call(session, 'list_drafts')
    refused = await session.call_tool('find_paths', {})
    assert refused.is_error and 'company' in refused.content[0].text, refused
    if 'save_to_list' in tools:
        saved = await call(session, 'save_to_list', name='From Python', people=[someone['id']])
        on = await call(session, 'read_list', list_id=saved['list_id'])
        assert [p['name'] for p in on['people']] == [someone['name']], on
    assert isinstance((await call(session, 'list_lists'))['lists'], list)


async def main():
    http = httpx2.AsyncClient(headers={'Authorization': 'Bearer demo_token_global'}, timeout=60)
    async with http, streamable_http_client(URL + '/mcp', http_client=http) as streams:
        async with ClientSession(streams[0], streams[1]) as session:
            await use(session, READING)
    for flags, tools in (([], READING), (['--write'], READING | WRITING)):
        args = ['mcp', '--demo', '--user', 'demo', '--data', DATA, *flags]
        async with stdio_client(StdioServerParameters(command=KITH, args=args)) as streams:
            async with ClientSession(*streams) as session:
                await use(session, tools)
    print('search, explain, person, paths, relationships, lists and sequences, over HTTP and standard input')


asyncio.run(main())
