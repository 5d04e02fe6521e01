import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { deliverWebhooks } from "better-auth-tenant/webhooks";
import ts from "typescript";
import { describe, expect, it, onTestFinished } from "vitest";
import { DOMAIN_EVENTS } from "../../src/features/domains/event-types";
import { IMPORT_EVENTS } from "../../src/features/imports/event-types";
import { INVITATION_EVENTS } from "../../src/features/invitations/event-types";
import { LINK_EVENTS } from "../../src/features/links/event-types";
import { WEBHOOK_EVENTS } from "../../src/features/webhooks/event-types";
import { EVENT_TYPES } from "../../src/management/events/event-types";
import { importCode } from "../support/processes/import-code";
import { makeInstance } from "../support/worlds/instance";

const page = readFileSync(new URL("../../../../docs/events.md", import.meta.url), "utf8");

describe("docs/events.md", () => {
	it("lists every event with its data", () => {
		const rows = [...page.matchAll(/^\| `([a-z-]+\.[a-z-]+)` \| (.*) \| (.*)\|$/gm)].map(
			([, type, description, data = ""]) => [
				type,
				description,
				[...data.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort(),
			],
		);
		const ofPlugin = (events: Record<string, string>, field: string) =>
			Object.entries(events).map(([type, description]) => [type, description, [field]]);
		const declared = Object.entries(EVENT_TYPES).map(([type, { description, data }]) => [
			type,
			description,
			Object.keys(data.shape).sort(),
		]);
		const ofInvitations = Object.entries(INVITATION_EVENTS).map(([type, description]) => [
			type,
			description,
			["invitationId", ...(type === "invitation.accepted" ? ["userId"] : [])],
		]);
		const data = { "user.moved": ["userId"], "user.imported": ["created", "updated"] };
		const ofImports = Object.entries(IMPORT_EVENTS).map(([type, description]) => [
			type,
			description,
			data[type as keyof typeof data],
		]);
		expect(rows).toEqual([
			...declared,
			...ofPlugin(DOMAIN_EVENTS, "domain"),
			...ofInvitations,
			...ofPlugin(LINK_EVENTS, "userId"),
			...ofPlugin(WEBHOOK_EVENTS, "webhookId"),
			...ofImports,
		]);
	});

	it("has a receiver that accepts what is delivered, and nothing with another secret", async () => {
		const [, code = ""] = page.match(/^```ts receiver\.ts\n(.*?)^```$/ms) ?? [];
		const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
		const { receive } = (await importCode(
			ts.transpileModule(code, { compilerOptions: options }).outputText,
		)) as { receive: (secret: string, onUser: (email: string) => void) => Server };
		const app = await makeInstance({ tenants: { allowPrivateProviderHosts: true } });
		const tenantId = await app.makeTenant();
		const users: string[] = [];
		let secret = "";
		const server = receive("", () => {});
		server.removeAllListeners("request");
		server.on("request", (...input) =>
			receive(secret, (it) => users.push(it)).emit("request", ...input),
		);
		server.listen(0, "127.0.0.1");
		await once(server, "listening");
		onTestFinished(async () => {
			server.closeAllConnections();
			server.close();
			await once(server, "close");
		});
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
		const body = { tenantId, url, eventTypes: ["user.created"] };
		const created = await app.manage("/tenant/webhook/create", { body });

		secret = `whsec_${btoa("another secret")}`;
		await app.signUp(tenantId, "grace@example.com");
		expect(await deliverWebhooks(app.auth)).toMatchObject({ delivered: 0, failed: 1 });
		secret = created.body.secret;
		await app.signUp(tenantId);
		expect(await deliverWebhooks(app.auth)).toMatchObject({ delivered: 1 });
		expect(users).toEqual(["ada@example.com"]);
	});
});
