import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Pool } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { blocksIn, textOf } from "../../../../testing/pages";
import { services } from "../../../../testing/services";
import { blocksRunBy } from "../../../../testing/shell-blocks";
import { temporaryDirectory } from "../temporary-directory";
import { installScript } from "./installed-script";

const hasTools = spawnSync("pg_dump", ["--version"]).status === 0;

const [drill = "", ...more] = blocksRunBy(import.meta.url, "docs/deploy.md");
const [createDatabase = ""] = blocksIn(textOf("docs/deploy.md")).flatMap(({ language, text }) =>
	language === "sql" ? text : [],
);

describe.skipIf(!services.postgres || !hasTools)("docs/deploy.md", () => {
	test("creates a role and a database that the server can use, and restores a backup", async () => {
		const name = `drill_${Date.now()}`;
		const admin = new URL(String(services.postgres));
		const server = new Pool({ connectionString: admin.href, max: 1 });
		onTestFinished(async () => {
			for (const database of [name, `${name}_drill`]) {
				await server.query(`drop database if exists "${database}" with (force)`);
			}
			await server.query(`drop role if exists "${name}"`);
			await server.end();
		});
		expect(more).toEqual([]);
		const create = createDatabase.replaceAll(/\bauth\b/g, name);
		for (const statement of create.split(";\n").filter(Boolean)) await server.query(statement);

		const directory = temporaryDirectory();
		const envFile = join(directory, "env");
		const tools = temporaryDirectory();
		installScript(tools, envFile);
		const url = `postgres://${name}:password@${admin.host}/${name}`;
		const secret = "a secret for tests with 32 characters and more";
		const settings = { DATABASE_URL: url, BETTER_AUTH_SECRET: secret.replaceAll(" ", "-") };
		writeFileSync(
			envFile,
			Object.entries({ ...settings, MANAGEMENT_KEYS: "management-key-for-the-drill" })
				.map(([variable, value]) => `${variable}=${value}\n`)
				.join(""),
		);
		const shell = (script: string) => {
			const { status, stdout, stderr } = spawnSync("bash", ["-e"], {
				cwd: directory,
				env: { PATH: `${tools}:${process.env.PATH}` },
				input: script,
				encoding: "utf8",
			});
			return { status, stdout, output: `${stdout}${stderr}` };
		};
		const prepared = shell(`
			tenant-auth migrate
			tenant-auth tenant create acme --name "Acme Inc"
			echo client-secret | tenant-auth oauth-config set acme github --client-id github-client
		`);
		expect(prepared.status, prepared.output).toBe(0);

		const script = drill
			.replaceAll("/etc/tenant-auth/env", envFile)
			.replace(/^admin=.*$/m, `admin=${admin.href}`)
			.replaceAll("/auth\\(", `/${name}\\(`)
			.replaceAll("--owner=auth", `--owner=${name}`)
			.replaceAll("auth_drill", `${name}_drill`);
		const done = shell(script);
		expect(done.status, done.output).toBe(0);
		expect(done.stdout).toContain("Acme Inc");

		// It leaves nothing behind.
		expect(readdirSync(directory)).toEqual(["env"]);
		expect(existsSync(join(directory, "auth.dump"))).toBe(false);
		const { rows } = await server.query("select 1 from pg_database where datname = $1", [
			`${name}_drill`,
		]);
		expect(rows).toEqual([]);
	});
});
