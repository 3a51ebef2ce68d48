// Files to import, with placeholder people: an export of a professional network, an address book, and records of a
// vendor with hostile and unusual texts.
import { crc32 } from "node:zlib";

// zip packs texts, by name, into an archive without compression.
export function zip(files) {
  const parts = [];
  const directory = [];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const [path, data] = [Buffer.from(name), Buffer.from(text)];
    const about = Buffer.alloc(26); // version, flags, method, time, date, checksum, sizes, lengths
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(0x21, 8); // 1 January 1980
    about.writeUInt32LE(crc32(data), 10);
    about.writeUInt32LE(data.length, 14);
    about.writeUInt32LE(data.length, 18);
    about.writeUInt16LE(path.length, 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\x00"), about, rest, path);
    const entry = [Buffer.from("PK\x03\x04"), about, path, data];
    parts.push(...entry);
    at += entry.reduce((n, part) => n + part.length, 0);
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  const n = Object.keys(files).length;
  end.writeUInt16LE(n, 4);
  end.writeUInt16LE(n, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, listed, Buffer.from("PK\x05\x06"), end]);
}

const social = "https://social.example/in";

// network is the export of a user, Olga Owner, who knows four people.
export const network = {
  name: "export.zip",
  mimeType: "application/zip",
  buffer: zip({
    "Connections.csv": `Notes:
"The addresses of people who do not share theirs are missing."

First Name,Last Name,URL,Email Address,Company,Position,Connected On
Jane,Doe,${social}/jane-doe,,Acme,Head of Data,12 Mar 2024
Max,Moe,${social}/max-moe,,Acme,Engineer,02 Feb 2021
Ann,Roe,${social}/ann-roe,,Globex,CTO,05 May 2020
Tim,Poe,${social}/tim-poe,tim@initech.example,Initech,Designer,01 Jan 2019
`,
    "Profile.csv": `First Name,Last Name,Maiden Name,Birth Date,Headline,Summary,Industry,Geo Location
Olga,Owner,,,Head of Sales at Globex,,Software,"Berlin, Germany"
`,
    "Email Addresses.csv": `Email Address,Confirmed,Primary,Updated On
olga@globex.example,Yes,Yes,1/2/24
`,
    "Positions.csv": `Company Name,Title,Description,Location,Started On,Finished On
Globex,Head of Sales,,"Berlin, Germany",Mar 2020,
`,
    "messages.csv": `CONVERSATION ID,FROM,SENDER PROFILE URL,TO,RECIPIENT PROFILE URLS,DATE,CONTENT,FOLDER
1,Olga Owner,${social}/olga-owner,Jane Doe,${social}/jane-doe,2026-06-01 12:00:00 UTC,Hello,INBOX
1,Jane Doe,${social}/jane-doe,Olga Owner,${social}/olga-owner,2026-06-02 08:00:00 UTC,Hello,INBOX
`,
  }),
};

// addresses is an address book with the address of Jane Doe.
export const addresses = {
  name: "contacts.vcf",
  mimeType: "text/vcard",
  buffer: Buffer.from(["BEGIN:VCARD", "VERSION:3.0", "FN:Jane Doe", "N:Doe;Jane;;;", "EMAIL:jane@acme.example",
    "ORG:Acme", `URL:${social}/jane-doe`, "END:VCARD", ""].join("\r\n")),
};

// script is a text that must stay text.
export const script = '<img src=x onerror="window.pwned=1">';

function vendor(name, people) {
  return { name, mimeType: "application/x-ndjson", buffer: Buffer.from(people.map((p) => JSON.stringify(p)).join("\n")) };
}

function person(full_name, title, company, more) {
  const experience = [{ title: { name: title }, company, start_date: "2019-01", end_date: null, is_primary: true }];
  return { full_name, job_title: title, job_company_name: company.name, job_company_size: company.size, experience, ...more };
}

// records have hostile, long, right-to-left and short texts.
export const records = vendor("records.ndjson", [
  person(`Harry ${script}`, `Gardener ${script}`, { name: `${script} Ltd`, size: "1", industry: script }, {
    linkedin_url: "social.example/in/harry", location_locality: script, location_country: "germany", skills: [script],
    summary: script, education: [{ school: { name: `${script} School` }, degrees: [script], majors: [script] }],
  }),
  person("مريم الأمل", "بستاني", { name: "شركة الاتصالات", size: "1", industry: "بنوك" }, {
    linkedin_url: "social.example/in/laila", location_locality: "قرية الزهور",
  }),
  person("W".repeat(190), "Gardener", { name: "Solo", size: "1" }),
  person("Zoë 👩", "Gardener", { name: "Solo", size: "1" }),
  person("ß", "Gardener", { name: "Solo", size: "1" }),
]);

// newcomer is another record that a search for gardeners finds.
export const newcomer = vendor("newcomer.ndjson", [person("Nora New", "Gardener", { name: "Solo", size: "1" })]);

// namesakes work at two companies of one name.
export const namesakes = vendor("namesakes.ndjson", ["one", "two"].map((n) => person(`Terry ${n}`, "Founder",
  { name: "Twins", size: "1", website: `twins-${n}.example` }, { linkedin_url: `social.example/in/terry-${n}` })));
