import { createPool } from "mysql2/promise";
import { Pool } from "pg";
import { onTestFinished } from "vitest";

const uniqueName = () => `tenant_server_${Date.now()}_${Math.random().toString(36).slice(2, 8)}`;

function withName(url: string, name: string): string {
	const named = new URL(url);
	named.pathname = `/${name}`;
	return named.href;
}

/** Creates a database on the server and returns its URL. It is deleted after the test. */
export async function postgresDatabase(serverUrl: string): Promise<string> {
	const name = uniqueName();
	const server = new Pool({ connectionString: serverUrl, max: 1 });
	await server.query(`create database "${name}"`);
	onTestFinished(async () => {
		await server.query(`drop database "${name}" with (force)`);
		await server.end();
	});
	return withName(serverUrl, name);
}

export async function mysqlDatabase(serverUrl: string, charset = "utf8mb4"): Promise<string> {
	const name = uniqueName();
	const server = createPool({ uri: serverUrl, connectionLimit: 1 });
	await server.query(`create database \`${name}\` character set ${charset}`);
	onTestFinished(async () => {
		await server.query(`drop database \`${name}\``);
		await server.end();
	});
	return withName(serverUrl, name);
}
