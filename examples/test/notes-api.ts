import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { temporaryDirectory } from "../../apps/server/test/temporary-directory";
import { freePort } from "../../testing/ports";
import { startExample } from "./running-example";

/** Starts an example that is an API with notes per tenant, and calls it with tokens of the service. */
export async function checkNotesApi(name: string, environment: Record<string, string>) {
	const servicePort = await freePort();
	const directory = temporaryDirectory();
	const { url } = await startExample(name, {
		SERVICE_PORT: String(servicePort),
		DATA_DIR: directory,
		...environment,
	});
	const application = JSON.parse(readFileSync(join(directory, "application.json"), "utf8"));
	const credentials = `${application.clientId}:${application.clientSecret}`;
	const tokenOf = async (tenant: string) => {
		const response = await fetch(`http://localhost:${servicePort}/t/${tenant}/oauth2/token`, {
			method: "POST",
			headers: { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` },
			body: new URLSearchParams({ grant_type: "client_credentials", resource: url }),
		});
		return ((await response.json()) as { access_token: string }).access_token;
	};
	const call = async (token: string, body?: string) => {
		const response = await fetch(`${url}/notes`, {
			headers: { authorization: `Bearer ${token}` },
			...(body ? { method: "POST", body } : {}),
		});
		return { status: response.status, body: await response.json() };
	};
	const [acme, globex] = [await tokenOf("acme"), await tokenOf("globex")];
	expect(await call(acme, "of Acme")).toEqual({ status: 201, body: "of Acme" });
	expect(await call(acme)).toEqual({ status: 200, body: ["of Acme"] });
	expect(await call(globex)).toEqual({ status: 200, body: [] });

	const refused = { status: 401, body: { error: "invalid_token" } };
	const [header, payload = "", signature] = acme.split(".");
	const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
	const withClaims = (more: object) => {
		const changed = Buffer.from(JSON.stringify({ ...claims, ...more })).toString("base64url");
		return [header, changed, signature].join(".");
	};
	for (const token of [
		"",
		"x",
		withClaims({ tenant_id: "another" }),
		withClaims({ iss: "http://localhost:1/t/acme" }),
		withClaims({ iss: claims.iss.replace("acme", "globex") }),
		withClaims({ iss: 1 }),
	]) {
		expect(await call(token)).toEqual(refused);
	}
}
