/**
 * What the same work costs if it is written by hand: the same statements as with the plugin, prepared,
 * the same checks of the happy path and the same response, on bare `Request` and `Response`. There is no
 * router, no hook, no plugin, no schema and no adapter. Nothing can be faster without doing less.
 */
import { randomBytes } from "node:crypto";
import type { Statement } from "../host/database";
import { cheapHash, ORIGIN } from "../host/host";
import { openPrepared } from "./prepared";
import {
	isOpen,
	joinedTenantOf,
	joinedUserOf,
	sessionOf,
	TENANT_COLUMNS,
	timeOf,
	USER_COLUMNS,
	userOf,
} from "./rows";
import { readSessionToken, writeSessionToken } from "./signed-cookie";

const WEEK = 7 * 24 * 60 * 60;
const DAY = 24 * 60 * 60;

export function openFloor(address: string, onStatement?: (statement: Statement) => void) {
	const { prepare, close } = openPrepared(address, onStatement);
	const findTenant = prepare(`select * from "tenant" where "id" = ?`);
	const findSession = prepare(
		`select s.*, ${USER_COLUMNS}, ${TENANT_COLUMNS} from "session" s left join "user" u on u."id" = s."userId" left join "tenant" t on t."id" = s."tenantId" where s."token" = ?`,
	);
	const findByEmail = prepare(
		`select u.*, a."providerId", a."password" from "user" u left join "account" a on a."userId" = u."id" where u."email" = ? and u."tenantId" = ?`,
	);
	const insertSession = prepare(
		`insert into "session" ("expiresAt", "token", "createdAt", "updatedAt", "ipAddress", "userAgent", "userId", "tenantId", "id") values (?, ?, ?, ?, ?, ?, ?, ?, ?) returning *`,
	);

	async function getSession(headers: Headers) {
		const token = readSessionToken(headers.get("cookie"));
		const [session] = token ? await findSession(token) : [];
		if (!session) return null;
		const user = joinedUserOf(session);
		const tenantId = headers.get("x-tenant-id") ?? session.tenantId;
		const tenant = joinedTenantOf(session);
		if (!tenant.id || !isOpen(tenant) || tenant.policy) throw new Error("refused");
		const left = timeOf(session.expiresAt) - Date.now();
		if (left < (WEEK - DAY) * 1000) throw new Error("a session that must be renewed");
		if (!user.id || user.tenantId !== tenantId || session.tenantId !== tenantId) return null;
		return { session: sessionOf(session), user: userOf(user) };
	}

	async function signIn(request: Request) {
		if (request.headers.get("origin") !== ORIGIN) throw new Error("refused");
		const tenantId = request.headers.get("x-tenant-id");
		const body = (await request.json()) as { email: unknown; password: unknown };
		const { email, password } = body;
		if (typeof email !== "string" || typeof password !== "string") throw new Error("refused");
		if (!isOpen((await findTenant(tenantId))[0])) throw new Error("refused");
		const found = await findByEmail(email.toLowerCase(), tenantId);
		const user = found.find(({ providerId }) => providerId === "credential");
		if (user?.password !== cheapHash(password)) throw new Error("refused");
		const now = new Date();
		const [createdAt, expiresAt] = [now.toISOString(), in7Days(now)];
		const token = randomBytes(24).toString("base64url");
		const id = randomBytes(24).toString("base64url");
		const [session] = await insertSession(
			...[expiresAt, token, createdAt, createdAt, "", "", user.id, tenantId, id],
		);
		if (!session) throw new Error("no session");
		return { redirect: false, token, user: userOf(user), session: sessionOf(session) };
	}

	async function handler(request: Request): Promise<Response> {
		const { pathname } = new URL(request.url);
		if (pathname === "/api/auth/ok") return Response.json({ ok: true });
		if (pathname === "/api/auth/get-session" && request.method === "GET") {
			return Response.json(await getSession(request.headers), { headers: SESSION_HEADERS });
		}
		if (pathname === "/api/auth/tenant/sign-in/email" && request.method === "POST") {
			const body = await signIn(request);
			const cookie = writeSessionToken(body.token, WEEK);
			return Response.json(body, { headers: { ...HEADERS, "set-cookie": cookie } });
		}
		return new Response(null, { status: 404 });
	}

	return { handler, getSession, close };
}

const HEADERS = { "cache-control": "no-store", vary: "x-tenant-id" };
const SESSION_HEADERS = { ...HEADERS, pragma: "no-cache" };

const in7Days = (now: Date) => new Date(now.getTime() + WEEK * 1000).toISOString();
