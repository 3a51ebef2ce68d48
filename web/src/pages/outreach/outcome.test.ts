import { expect, test } from "vitest";
import { type Activity, addressOf, local, neighbour, outcomeOf, timeOf } from "./outcome";

const person: Activity["person"] = { id: 1, first_name: "", last_name: "", full_name: "", social_url: "",
  social_identifier: "", headline: "", location: { city: "", state: "", country: "" }, position: null, image_url: "",
  email: "" };
const mail: Activity["email_outgoing"] = { id: "m", subject: "", status: "draft", scheduled_at: null, sent_at: null,
  from_email: "", to_email: "", thread_id: "m", content: null };
const activity: Activity = { id: "a", activity_type: "outgoing_email", decision: "pending", decision_confirmed_at: null,
  ai_confidence_score: null, introducer_data: [], note: "", ai_prompt: "", created_at: "2026-01-01T10:00:00Z",
  sequence: { id: "s", name: "", status: "active" },
  sequence_lead: { id: "l", platform_person_id: 1, status: "active" }, person, email_outgoing: mail };

test.each([
  [{}, "draft"],
  [{ decision: "rejected" as const, email_outgoing: { ...mail, status: "canceled" as const } }, "rejected"],
  [{ decision: "approved" as const, email_outgoing: { ...mail, status: "failed" as const } }, "failed"],
  [{ activity_type: "incoming_email", email_outgoing: null }, "reply"],
  [{ activity_type: "call", email_outgoing: null }, "other"],
])("the outcome of %j", (change, is) => {
  expect(outcomeOf({ ...activity, ...change })).toBe(is);
});

test("an e-mail without an address of its own goes to its person's", () => {
  expect(addressOf(activity)).toBe("");
  expect(addressOf({ ...activity, person: { ...person, email: "a@b.example" } })).toBe("a@b.example");
  const own = { ...mail, to_email: "own@b.example" };
  expect(addressOf({ ...activity, email_outgoing: own, person: { ...person, email: "a@b.example" } }))
    .toBe("own@b.example");
});

test("the time is that of sending, else the planned one, else that of the decision", () => {
  expect(timeOf(activity)).toBe(activity.created_at);
  expect(timeOf({ ...activity, decision_confirmed_at: "2026-02-01T00:00:00Z" })).toBe("2026-02-01T00:00:00Z");
  expect(timeOf({ ...activity, email_outgoing: { ...mail, scheduled_at: "2026-03-01T00:00:00Z" } }))
    .toBe("2026-03-01T00:00:00Z");
});

test("after the last one the previous is shown", () => {
  const list = [{ id: "1" }, { id: "2" }];
  expect([neighbour(list, "1")?.id, neighbour(list, "2")?.id]).toEqual(["2", "1"]);
  expect(neighbour([{ id: "1" }], "1")).toBeUndefined();
});

test("a local time leads back to its moment", () => {
  const at = "2026-03-01T09:30:00.000Z";
  expect(new Date(local(at)).toISOString()).toBe(at);
});
