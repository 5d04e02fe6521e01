import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { blocksIn, textOf } from "../../../testing/pages";
import { blocksRunBy } from "../../../testing/shell-blocks";
import { hasCurl, serverWithShell } from "./shell-blocks";

const blocksOf = (page: string) => blocksRunBy(import.meta.url, page);

/** Replaces what is different in each run, such as ids, tokens and times. */
function normalize(text: string): string {
	return text
		.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "a time")
		.replaceAll(/(state|code_challenge|token)=[\w-]+/g, "$1=random")
		.replaceAll(/(better-auth-tenant)=\w{32}/g, "$1=random")
		.replaceAll(/whsec_[\w+/=]+/g, "whsec_…")
		.replaceAll(/\/logos\/\w{32}\//g, "/logos/an id/")
		.replaceAll(/"[\dA-Za-z]{32}"/g, '"an id"')
		.replaceAll(/"[\da-f]{12}"/g, '"a digest prefix"')
		.replaceAll(/curl\/[\d.]+/g, "curl");
}

test.skipIf(!hasCurl).each([
	["docs/http-api.md", 15],
	["docs/people.md", 6],
])("the requests in %s get the responses that the page shows", async (page, least) => {
	const { atThisServer, runBlocks } = await serverWithShell();
	const blocks = blocksIn(textOf(page)).filter(({ language }) => language !== "ts");
	const calls = blocks.filter(({ language }) => language === "sh");
	expect(calls.map(({ text }) => text)).toEqual(blocksOf(page));
	const printed = runBlocks(blocksOf(page));
	expect(printed).toHaveLength(calls.length);

	let checked = 0;
	for (const [index, call] of notEmpty(calls.entries())) {
		const answer = blocks[blocks.indexOf(call) + 1];
		if (!answer || answer.language === "sh") continue;
		const documented = normalize(atThisServer(answer.text)).trim();
		const actual = normalize(printed[index] ?? "").trim();
		if (answer.language === "json") expect(JSON.parse(actual)).toEqual(JSON.parse(documented));
		else expect(actual).toBe(documented);
		checked += 1;
	}
	expect(checked).toBeGreaterThan(least);
});

test.skipIf(!hasCurl)("the commands of the service's pages work as written", async () => {
	const { runBlocks, server } = await serverWithShell();
	const pages = ["docs/service.md", "docs/service-operators.md", "docs/service-emails.md"];
	const printed = runBlocks(pages.flatMap(blocksOf));
	const [nothing, tenant, signedUp, signedIn, session, config, social, options] = printed.map(
		(answer) => (answer.startsWith("{") ? JSON.parse(answer) : answer),
	);
	expect(nothing).toBe("");
	expect(tenant).toMatchObject({ name: "Acme", slug: "acme" });
	const tenantId = tenant.id;
	const ada = { user: { email: "ada@example.com", tenantId }, session: { tenantId } };
	expect(signedUp).toMatchObject(ada);
	expect(signedIn).toMatchObject({ ...ada, user: { ...ada.user, id: signedUp.user.id } });
	expect(session).toMatchObject({ ...ada, session: { tenantId, id: signedIn.session.id } });
	expect(config).toMatchObject({ tenantId, providerId: "google", enabled: true });
	expect(config).not.toHaveProperty("clientSecret");
	const { host, searchParams } = new URL(social.url);
	expect([host, social.redirect]).toEqual(["accounts.google.com", true]);
	expect(searchParams.get("client_id")).toBe(config.clientId);
	expect(options).toMatchObject({ tenant: { slug: "acme" }, providers: ["google"] });

	const [operator, keys, template] = printed.slice(8);
	expect(printed).toHaveLength(11);
	expect(operator).toContain("ada@example.com");
	expect(keys?.match(/^tak_\S+$/gm)).toHaveLength(2);
	expect(template).toContain("Welcome to {{tenant}}");
	expect(server.errors()).toBe("");
});

/** The variables that other pages use, with the id of a tenant. */
const variables = () => blocksOf("docs/machine-clients.md").slice(0, 1);

test.skipIf(!hasCurl)("a machine client of docs/machine-clients.md gets a token", async () => {
	const { runBlocks } = await serverWithShell();
	const [tenant, answer, ...more] = runBlocks(blocksOf("docs/machine-clients.md"));
	expect([JSON.parse(tenant ?? "").slug, more]).toEqual(["acme", []]);
	expect(JSON.parse(answer ?? "")).toMatchObject({
		access_token: expect.any(String),
		token_type: "Bearer",
	});
});

test.skipIf(!hasCurl)("an OAuth client is registered as docs/oauth-clients.md shows", async () => {
	const { runBlocks } = await serverWithShell();
	const blocks = [...variables(), ...blocksOf("docs/oauth-clients.md")];
	const [answer, ...more] = runBlocks(blocks).slice(1);
	expect(JSON.parse(answer ?? "")).toMatchObject({ providerId: "google", enabled: true });
	expect(more).toEqual([]);
});

test.skipIf(!hasCurl)("users are imported by the request of docs/import.md", async () => {
	const { directory, runBlocks } = await serverWithShell();
	const lines = blocksIn(textOf("docs/import.md")).filter(({ language }) => language === "json");
	// The service has no function for the hash of the example.
	const { password, ...user } = JSON.parse(lines[0]?.text ?? "");
	expect(password.kind).toBe("bcrypt");
	writeFileSync(join(directory, "users.ndjson"), JSON.stringify(user));
	const blocks = [...variables(), ...blocksOf("docs/import.md")];
	const [answer, ...more] = runBlocks(blocks).slice(1);
	expect(JSON.parse(answer ?? "")).toMatchObject({ created: 1, failed: 0 });
	expect(more).toEqual([]);
});
