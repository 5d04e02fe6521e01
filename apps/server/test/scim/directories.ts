import { expect } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import type { RunningService } from "../running-service";
import { type Answer, scimTenant } from "./scim-tenant";
import { ENTRA, OKTA, type Step } from "./sequences";

export const directories: [string, Step[]][] = [
	["Okta", OKTA],
	["Entra ID", ENTRA],
];

/** Runs the requests of a directory in a new tenant, and requires every response. */
export async function runSequence(service: RunningService, steps: Step[]) {
	const tenant = await scimTenant(service);
	const ids: Record<string, string> = {};
	const filled = <T>(value: T): T =>
		JSON.parse(
			JSON.stringify(value ?? null).replaceAll(/\{(id|group)\}/g, (_, name) => ids[name] ?? "?"),
		);
	for (const { does, send, expect: expected, keeps } of notEmpty(steps)) {
		const [method, path, body] = send;
		const answer: Answer = await tenant.scim(method, filled(path), body && filled(body));
		const { status, body: got } = answer;
		expect([does, status, got]).toMatchObject([does, expected[0], filled(expected[1])]);
		if (got)
			expect([does, answer.headers.get("content-type")]).toEqual([does, "application/scim+json"]);
		if (keeps) ids[keeps] = got.id;
	}
	const [user] = (await tenant.users()) ?? [];
	return { tenant, user };
}
