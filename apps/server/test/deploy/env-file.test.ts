import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readSettings } from "../../src/settings/settings";
import { variables } from "../../src/settings/variables";
import { startProcess } from "../server-process";
import { blocksOf } from "../shell-blocks";
import { temporaryDirectory } from "../temporary-directory";
import { deployFile, readDeployFile, repository } from "./deploy-files";
import { readWithDocker, readWithNode, readWithShell } from "./env-file-readers";
import { installScript } from "./installed-script";

const files = ["env.example", "kubernetes/secret.env.example"];

/** Runs the command of docs/deploy.md that fills in the secrets, and returns the path of its file. */
function newEnvFile(): string {
	const [command] = blocksOf("docs/deploy.md")
		.map(({ text }) => /^sed .* deploy\/env\.example > env$/ms.exec(text)?.[0])
		.filter((found) => found !== undefined);
	if (!command) throw new Error("docs/deploy.md does not say how to fill in the secrets");
	const path = join(temporaryDirectory(), "env");
	const script = command.replace("> env", '> "$1"');
	const { stderr } = spawnSync("sh", ["-ec", script, "sh", path], {
		cwd: repository,
		encoding: "utf8",
	});
	expect(stderr).toBe("");
	return path;
}

/** Changes values in the file, as an operator does. */
function setValues(path: string, values: Record<string, string>): void {
	let text = readWithDocker(path);
	text = { ...text, ...values };
	writeFileSync(
		path,
		Object.entries(text)
			.map(([name, value]) => `${name}=${value}\n`)
			.join(""),
	);
}

describe.each(files)("deploy/%s", (name) => {
	test("gives the shell, Docker and Node the same values", () => {
		const path = deployFile(name);
		const values = readWithDocker(path);
		expect(Object.keys(values).length).toBeGreaterThan(4);
		expect(readWithShell(path)).toEqual(values);
		expect(readWithNode(path)).toEqual(values);
	});

	test("has only values that no program treats in its own way", () => {
		for (const [variable, value] of Object.entries(readWithDocker(deployFile(name)))) {
			expect(value, variable).toMatch(/^[\w.:/?@%+=,-]*$/);
		}
	});

	test("has only variables that the server knows, and none twice", () => {
		const text = readDeployFile(name);
		const names = [...text.matchAll(/^#?([A-Z_]+)=/gm)].map((match) => match[1]);
		const known = Object.values(variables).flatMap((group) => Object.keys(group));
		expect([...known, "NODE_ENV", "NODE_EXTRA_CA_CERTS"]).toEqual(expect.arrayContaining(names));
		expect(new Set(names).size).toBe(names.length);
	});

	test("does not start a server before the secret is replaced", () => {
		const example = readWithShell(deployFile(name));
		expect(() => readSettings({ MAIL_FROM: "auth@example.com", ...example }, "/")).toThrow(
			"BETTER_AUTH_SECRET must have at least 32 characters",
		);
	});
});

test("the server starts with deploy/env.example and new secrets", async () => {
	const path = newEnvFile();
	const values = readWithShell(path);
	expect(readWithDocker(path)).toEqual(values);
	expect(readWithNode(path)).toEqual(values);
	expect(values.BETTER_AUTH_SECRET).toMatch(/^[\da-f]{64}$/);
	expect(values.MANAGEMENT_KEYS).toMatch(/^[\da-f]{64}$/);
	expect(values.MANAGEMENT_KEYS).not.toBe(values.BETTER_AUTH_SECRET);

	const data = temporaryDirectory();
	const DATA_DIR = join(data, "not-needed");
	const { REDIS_URL, ...rest } = values;
	expect(REDIS_URL).toBeDefined();
	const database = { DATABASE_URL: `file:${join(data, "auth.db")}` };
	const server = startProcess({ ...rest, ...database, DATA_DIR, PORT: "0", HOST: "127.0.0.1" });
	const answer = await fetch(`${await server.url()}/service/info`, {
		headers: { authorization: `Bearer ${values.MANAGEMENT_KEYS}` },
	});
	expect(await answer.json()).toMatchObject({
		baseUrl: "https://auth.example.com",
		mail: "smtp",
	});
});

test("deploy/tenant-auth.sh runs a command with the settings of the file", () => {
	const path = newEnvFile();
	const directory = temporaryDirectory();
	setValues(path, {
		DATABASE_URL: `file:${join(directory, "auth.db")}`,
		REDIS_URL: "",
		SMTP_URL: "",
	});
	const script = installScript(directory, path);
	const run = (...args: string[]) => {
		const { status, stdout, stderr } = spawnSync(script, args, {
			env: { PATH: process.env.PATH },
			encoding: "utf8",
		});
		return { status, stdout, stderr };
	};
	expect(run("migrate", "--yes")).toMatchObject({ status: 0 });
	const created = run("tenant", "create", "acme", "--name", "Acme Inc", "--json");
	expect(created).toMatchObject({ status: 0, stderr: "" });
	expect(JSON.parse(created.stdout)).toMatchObject({ slug: "acme", name: "Acme Inc" });
});
