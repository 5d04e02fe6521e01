import { spawnSync } from "node:child_process";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { blocksRunBy } from "../../../../testing/shell-blocks";
import { readSettings } from "../../src/settings/settings";
import { variables } from "../../src/settings/variables";
import { startProcess } from "../server-process";
import { temporaryDirectory } from "../temporary-directory";
import { deployFile, readDeployFile } from "./deploy-files";
import { readWithDocker, readWithNode, readWithShell } from "./env-file-readers";
import { installScript } from "./installed-script";

const files = ["env.example", "kubernetes/secret.env.example"];

const blocks = blocksRunBy(import.meta.url, "docs/deploy.md");

/** The block of docs/deploy.md that begins with the text, and contains the other one. */
function documented(beginning: string, content = ""): string {
	const found = blocks.find((text) => text.startsWith(beginning) && text.includes(content));
	if (!found) throw new Error(`docs/deploy.md has no block ${beginning} … ${content}`);
	return found;
}

/** Runs commands in a shell, and returns what they print. */
function shell(directory: string, script: string, tools = ""): string {
	const { status, stdout, stderr } = spawnSync("sh", ["-e"], {
		cwd: directory,
		env: { PATH: `${tools}:${process.env.PATH}` },
		input: script,
		encoding: "utf8",
	});
	if (status !== 0) throw new Error(stderr);
	return stdout;
}

/** A folder with the files that the commands of docs/deploy.md read. */
function folderForCommands(): string {
	const directory = temporaryDirectory();
	mkdirSync(join(directory, "deploy"));
	cpSync(deployFile("env.example"), join(directory, "deploy/env.example"));
	return directory;
}

/** Runs the command that fills in the secrets, and returns the path of its file. */
function newEnvFile(): string {
	const directory = folderForCommands();
	shell(directory, documented("sed ", "> env\n"));
	return join(directory, "env");
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
		for (const [variable, value] of notEmpty(Object.entries(readWithDocker(deployFile(name))))) {
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

describe("deploy/tenant-auth.sh", () => {
	/** A server that is set up as docs/deploy.md says, up to its first operator. */
	function installed() {
		const envFile = newEnvFile();
		const directory = temporaryDirectory();
		setValues(envFile, {
			DATABASE_URL: `file:${join(directory, "auth.db")}`,
			REDIS_URL: "",
			SMTP_URL: "",
		});
		installScript(directory, envFile);
		// The user of the service does not exist here.
		const run = (script: string) =>
			shell(directory, script.replaceAll("sudo -u tenant-auth ", ""), directory);
		run("tenant-auth migrate --yes");
		return { directory, run };
	}

	test("creates the first operator and the first tenant", () => {
		const { run } = installed();
		const operator = run(documented("sudo -u tenant-auth tenant-auth operator"));
		expect(operator).toContain("ada@example.com");
		expect(run(documented("sudo -u tenant-auth tenant-auth tenant"))).toContain("Acme Inc");
	});

	test("runs the commands of the page with the settings of the file", () => {
		const { directory, run } = installed();
		writeFileSync(join(directory, "google-secret.txt"), "a secret");
		const printed = run(documented("tenant-auth tenant create"));
		const [, list = ""] = /^(\{\n.*|\[.*)$/ms.exec(printed) ?? [];
		expect(JSON.parse(list)).toMatchObject({ tenants: [{ slug: "acme", name: "Acme Inc" }] });
		expect(run(documented("tenant-auth user create"))).toMatch(
			/ada@example\.com chooses a new password here.*\n\nhttps:\S+\n$/,
		);
	});
});

test("the commands before Docker Compose write secrets and a certificate", () => {
	const directory = folderForCommands();
	shell(directory, documented("sed ", "deploy/.env") + documented("openssl"));
	const values = readWithDocker(join(directory, "deploy/.env"));
	expect(values.POSTGRES_PASSWORD).toMatch(/^[\da-f]{48}$/);
	const certificate = new X509Certificate(readFileSync(join(directory, "deploy/tls/auth.crt")));
	expect(certificate.subjectAltName).toBe("DNS:localhost");
	const key = createPrivateKey(readFileSync(join(directory, "deploy/tls/auth.key")));
	expect(certificate.checkPrivateKey(key)).toBe(true);
});
