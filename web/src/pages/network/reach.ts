import { api, ask, type Schemas } from "../../api/client";
import { Refused } from "../../api/problem";
import type { Given } from "../../state/route";

type Company = Schemas["CompanyPathsAnswer"]["data"]["company"];

/** Reach is who the reader can reach of those asked for. */
export interface Reach {
  /** company is given if the reader asked for one. */
  company?: Company;
  /** total is the number of people within reach, of which targets are the first. */
  total: number;
  targets: Schemas["PathTarget"][];
  /** choice has the companies of one name. */
  choice?: NonNullable<Schemas["Error"]["candidates"]>;
}

/** reach finds the ways to those that an address asks for: a company, or else a person, or people of a name. */
export function reach({ whom = "", company, person }: Given, signal: AbortSignal): Promise<Reach> {
  if (company) return ofCompany({ id: company }, signal);
  if (person) return ofPerson(person, signal);
  return /@|\/in\//.test(whom) ? ofPerson(whom, signal) : ofName(whom, signal);
}

/** ofName finds a company, or the several of the name. Without one it finds people, unless the name is a domain. */
async function ofName(name: string, signal: AbortSignal): Promise<Reach> {
  try {
    return await ofCompany({ name }, signal);
  } catch (err) {
    const problem = err instanceof Refused ? err.problem : null;
    if (problem?.code === "SEVERAL_COMPANIES") return { total: 0, targets: [], choice: problem.candidates ?? [] };
    if (problem?.code === "COMPANY_NOT_FOUND" && !/^\S+\.\S+$/.test(name)) return ofPeople(name, signal);
    throw err;
  }
}

async function ofCompany(body: Schemas["CompanyPathsRequest"], signal: AbortSignal): Promise<Reach> {
  const { data } = await ask(api.POST("/v2/companies/paths", { body, signal }));
  return { company: data.company, total: data.total, targets: data.target_people };
}

async function ofPerson(id: string, signal: AbortSignal): Promise<Reach> {
  const { data } = await ask(api.POST("/v2/people/{id}/paths", { params: { path: { id } }, signal }));
  return { total: 1, targets: [data] };
}

async function ofPeople(name: string, signal: AbortSignal): Promise<Reach> {
  const body = { filters: { name }, limit: 5 };
  const answer = await ask(api.POST("/v2/people/search", { body, signal })) as Schemas["SearchAnswer"];
  const all = await Promise.all(answer.data.map((one) => ofPerson(String(one.id), signal)));
  return { total: all.length, targets: all.flatMap((one) => one.targets) };
}
