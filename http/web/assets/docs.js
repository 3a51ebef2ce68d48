import { element } from './dom.js';
import { attempt } from './problem.js';
import { read, request } from './session.js';

const page = document.getElementById('reference');

async function render() {
  const doc = await read(await request('GET', 'openapi.json'));
  const parts = [...text(doc.info.description), contents(doc)];
  for (const tag of doc.tags) {
    parts.push(element('h2', null, tag.name), ...text(tag.description));
    for (const o of tagged(doc, tag)) parts.push(describe(doc, o.path, o.method, o.operation, o.parameters));
  }
  parts.push(element('h2', { id: 'schemas' }, 'Schemas'));
  for (const [name, schema] of Object.entries(doc.components.schemas)) parts.push(describeSchema(name, schema));
  document.getElementById('loading').remove();
  page.append(...parts);
  if (location.hash) location.replace(location.hash); // its target exists only now
}

// tagged returns the operations of a tag, each with its path and the parameters of the path.
function tagged(doc, tag) {
  return Object.entries(doc.paths).flatMap(([path, { parameters = [], ...operations }]) => Object.entries(operations)
    .filter(([, operation]) => operation.tags.includes(tag.name))
    .map(([method, operation]) => ({ path, method, operation, parameters })));
}

// contents links to all operations by tag, and to the schemas.
function contents(doc) {
  const item = ([id, says, title]) => element('li', null,
    element('a', title ? { href: `#${id}`, title } : { href: `#${id}` }, says));
  const links = (name, of) => element('div', null, element('p', null, name), element('ul', null, ...of.map(item)));
  const entry = ({ operation, method, path }) => [operation.operationId, operation.summary,
    `${method.toUpperCase()} ${path}`];
  return element('nav', { class: 'contents', 'aria-label': 'Contents' },
    ...doc.tags.map((tag) => links(tag.name, tagged(doc, tag).map(entry))),
    links('Schemas', [['schemas', `All ${Object.keys(doc.components.schemas).length} schemas`]]));
}

// heading links to itself, so readers can copy its address.
function heading(id, ...parts) {
  return element('h3', null, element('a', { href: `#${id}` }, ...parts));
}

// text splits a description into paragraphs. Single line breaks are spaces.
function text(of) {
  return String(of || '').trim().split(/\n\s*\n/).filter(Boolean).map((paragraph) => words('p', null, paragraph));
}

// words creates an element from a text with `code` in it.
function words(tag, properties, text) {
  const parts = String(text).split('`');
  return element(tag, properties, ...parts.map((part, i) => (i % 2 === 1 ? element('code', null, part) : part)));
}

// describe renders an operation; shared are the parameters of its path.
function describe(doc, path, method, operation, shared) {
  const part = element('section', { class: 'operation', id: operation.operationId },
    heading(operation.operationId, element('span', { class: 'method' }, method.toUpperCase()), ' ', path),
    element('p', null, operation.summary),
    ...text(operation.description),
    words('p', null, `Credential: ${credential(doc, operation)}`));
  const parameters = [...shared, ...(operation.parameters || [])].map((p) => resolve(doc, p));
  if (parameters.length > 0) part.append(table(['Parameter', 'In', 'Type', 'Description'], parameters.map(parameter)));
  if (operation.requestBody) body(part, operation.requestBody.content);
  for (const sample of operation['x-codeSamples'] || []) part.append(element('pre', { tabindex: '0' }, sample.source));
  const answers = Object.entries(operation.responses).map(([status, r]) => [status, resolve(doc, r)]);
  const refused = answers.filter(([status]) => status >= '400');
  const given = answers.filter(([status]) => status < '400');
  part.append(responses(given), ...examples(given),
    element('details', null, element('summary', null, `Errors: ${refused.map(([status]) => status).join(', ')}`),
      responses(refused)));
  return part;
}

function parameter(p) {
  return [p.name + (p.required ? ' (required)' : ''), p.in, type_(p.schema), p.description || ''];
}

function responses(answers) {
  return table(['Status', 'When', 'Body'], answers.map(([status, r]) => [status, r.description, shapes(r.content)]));
}

// examples are collapsed, because an answer may be long.
function examples(answers) {
  return answers.flatMap(([status, r]) => Object.values(r.content || {})
    .flatMap((media) => Object.values(media.examples || {}))
    .map(({ value }) => element('details', null, element('summary', null, `Example answer: ${status}`),
      element('pre', { tabindex: '0' }, typeof value === 'string' ? value : JSON.stringify(value, null, 2)))));
}

function credential(doc, operation) {
  const needed = operation.security || doc.security;
  if (needed.length === 0) return 'none';
  const says = { bearer: '`Authorization: Bearer <token>`', session: 'a browser session',
    secretKey: '`secret-key: <secret key>`' };
  return needed.map((s) => says[Object.keys(s)[0]]).join(', or ');
}

function body(part, content) {
  for (const [type, media] of Object.entries(content)) {
    part.append(element('p', null, `Body, ${type}: `, type_(media.schema)));
    for (const [name, example] of Object.entries(media.examples || {})) {
      part.append(element('p', null, `Example: ${example.summary || name}`),
        element('pre', { tabindex: '0' }, JSON.stringify(example.value, null, 2)));
    }
  }
}

function shapes(content) {
  const cell = element('span');
  for (const [type, media] of Object.entries(content || {})) {
    cell.append(element('div', null, type, ': ', type_(media.schema)));
    for (const [name, schema] of Object.entries(media['x-events'] || {})) {
      cell.append(element('div', null, `event ${name}: `, type_(schema)));
    }
  }
  return cell;
}

function describeSchema(name, schema) {
  const part = element('section', { class: 'schema', id: `schema-${name}` }, heading(`schema-${name}`, name));
  part.append(...text(schema.description));
  const rows = members(schema, '');
  if (rows.length === 0) part.append(element('p', null, type_(schema)));
  else part.append(table(['Member', 'Type', 'Description'], rows));
  return part;
}

// members lists the members of an object, including nested ones.
function members(schema, prefix) {
  const rows = [];
  for (const [name, member] of Object.entries(schema.properties || {})) {
    const path = prefix + name;
    const required = (schema.required || []).includes(name) ? ' (required)' : '';
    rows.push([path + required, type_(member), member.description || '']);
    rows.push(...members(member, `${path}.`));
    if (member.items) rows.push(...members(member.items, `${path}[].`));
  }
  return rows;
}

// type_ describes the type of a schema. A named schema becomes a link.
function type_(schema) {
  if (!schema) return '';
  if (schema.$ref) {
    const name = schema.$ref.split('/').pop();
    return element('a', { href: `#schema-${name}` }, name);
  }
  const says = [[].concat(schema.type || 'any').join(' or ')];
  if (schema.const !== undefined) says.push(`always ${schema.const}`);
  if (schema.enum) says.push(`one of ${schema.enum.join(', ')}`);
  says.push(...bounds(schema));
  const out = element('span', null, says.join('; '));
  if (schema.items) out.append(' of ', type_(schema.items));
  if (schema.additionalProperties) out.append(' with values of type ', type_(schema.additionalProperties));
  return out;
}

function bounds(s) {
  const out = [];
  const range = (low, high, noun) => {
    if (low !== undefined && low === high) out.push(`${low}${noun}`);
    else if (low !== undefined && high !== undefined) out.push(`${low} to ${high}${noun}`);
    else if (low !== undefined) out.push(`at least ${low}${noun}`);
    else if (high !== undefined) out.push(`at most ${high}${noun}`);
  };
  range(s.minimum, s.maximum, '');
  range(s.minLength, s.maxLength, ' characters');
  range(s.minItems, s.maxItems, ' elements');
  if (s.format) out.push(s.format);
  return out;
}

function resolve(doc, thing) {
  if (!thing.$ref) return thing;
  return thing.$ref.slice(2).split('/').reduce((at, name) => at[name], doc);
}

// table labels all cells but the first of a row with their column, for narrow screens.
function table(heads, rows) {
  const cell = (of, i) => {
    const head = i > 0 && of !== '' ? { 'data-head': heads[i] } : null;
    return typeof of === 'string' ? words('td', head, of) : element('td', head, of);
  };
  return element('table', null,
    element('thead', null, element('tr', null, ...heads.map((h) => element('th', { scope: 'col' }, h)))),
    element('tbody', null, ...rows.map((row) => element('tr', null, ...row.map(cell)))));
}

if (!await attempt(render)) document.getElementById('loading').hidden = true;
