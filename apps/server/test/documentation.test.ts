import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startProcess } from "./server-process";
import { temporaryDirectory } from "./temporary-directory";

const hasCurl = spawnSync("curl", ["--version"]).status === 0;
const key = "management-key-of-the-documentation";

type Block = { language: string; text: string };

function blocksOf(path: string): Block[] {
	const page = readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), "utf8");
	return [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = "", text = ""]) => ({
		language,
		text,
	}));
}

/** A running server, and a way to paste blocks of a page into a shell. */
async function serverWithShell() {
	const server = startProcess({ DATA_DIR: temporaryDirectory(), MANAGEMENT_KEYS: key });
	const { port } = new URL(await server.url());
	const folder = temporaryDirectory();
	const atThisServer = (text: string) =>
		text
			.replaceAll("localhost:3000", `localhost:${port}`)
			.replaceAll("localhost%3A3000", `localhost%3A${port}`)
			.replace(/KEY=….*/, `KEY=${key}`);
	/** What each of the blocks printed. */
	const paste = (blocks: string[]) => {
		const input = blocks.map((text) => `${atThisServer(text)}\nprintf '\\036'\n`).join("");
		const { stdout } = spawnSync("sh", { cwd: folder, input, encoding: "utf8" });
		return stdout.split("\u001e").slice(0, -1);
	};
	return { atThisServer, paste };
}

/** What is different each time, such as ids, tokens and times, by its kind. */
function stable(text: string): string {
	return text
		.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "a time")
		.replaceAll(/(state|code_challenge)=[\w-]+/g, "$1=random")
		.replaceAll(/"[\dA-Za-z]{32}"/g, '"an id"')
		.replaceAll(/"[\da-f]{12}"/g, '"the beginning of a digest"')
		.replaceAll(/curl\/[\d.]+/g, "curl");
}

test.skipIf(!hasCurl)("the calls in docs/http-api.md answer what the page says", async () => {
	const { atThisServer, paste } = await serverWithShell();
	const blocks = blocksOf("docs/http-api.md");
	const calls = blocks.filter(({ language }) => language === "sh");
	const printed = paste(calls.map(({ text }) => text));
	expect(printed).toHaveLength(calls.length);

	let checked = 0;
	for (const [index, call] of calls.entries()) {
		const answer = blocks[blocks.indexOf(call) + 1];
		if (!answer || answer.language === "sh") continue;
		const said = stable(atThisServer(answer.text)).trim();
		const got = stable(printed[index] ?? "").trim();
		if (answer.language === "json") expect(JSON.parse(got)).toEqual(JSON.parse(said));
		else expect(got).toBe(said);
		checked += 1;
	}
	expect(checked).toBeGreaterThan(15);
});

test.skipIf(!hasCurl)("the calls in the README create a tenant and sign a user up", async () => {
	const { paste } = await serverWithShell();
	const block = blocksOf("README.md").find(({ text }) => text.includes("KEY=…"))?.text ?? "";
	const [create = "", signUp = ""] = block.split(/^TENANT=….*$/m);
	const [created = ""] = paste([create]);
	const tenant = JSON.parse(created);
	expect(tenant).toMatchObject({ name: "Acme", slug: "acme" });
	const address = create.split("\n", 1)[0];
	const [signedUp = ""] = paste([`${address}\nTENANT=${tenant.id}\n${signUp}`]);
	expect(JSON.parse(signedUp)).toMatchObject({
		user: { email: "ada@example.com", tenantId: tenant.id },
		session: { tenantId: tenant.id },
	});
});
