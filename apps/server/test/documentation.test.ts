import { expect, test } from "vitest";
import { blocksOf, hasCurl, serverWithShell } from "./shell-blocks";

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
	const blocks = blocksOf(page).filter(({ language }) => language !== "ts");
	const calls = blocks.filter(({ language }) => language === "sh");
	const printed = runBlocks(calls.map(({ text }) => text));
	expect(printed).toHaveLength(calls.length);

	let checked = 0;
	for (const [index, call] of calls.entries()) {
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

test.skipIf(!hasCurl)("the first requests in docs/service.md work as written", async () => {
	const { runBlocks, server } = await serverWithShell();
	const blocks = blocksOf("docs/service.md", "Try it").map(({ text }) => text);
	const calls = blocks.filter((text) => text.startsWith("AUTH=") || text.includes("curl "));
	const [nothing, ...answers] = runBlocks(calls);
	expect(nothing).toBe("");
	const [tenant, signedUp, signedIn, session, config, social, options] = answers.map((answer) =>
		JSON.parse(answer),
	);
	expect(answers).toHaveLength(7);
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
	expect(server.errors()).toBe("");
});

test.skipIf(!hasCurl)("a machine client of docs/machine-clients.md gets a token", async () => {
	const { runBlocks } = await serverWithShell();
	const blocks = blocksOf("docs/machine-clients.md", "Machine clients").map(({ text }) => text);
	const [nothing, answer] = runBlocks(blocks);
	expect([blocks.length, nothing]).toEqual([2, ""]);
	expect(JSON.parse(answer ?? "")).toMatchObject({
		access_token: expect.any(String),
		token_type: "Bearer",
	});
});
