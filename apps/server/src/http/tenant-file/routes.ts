import { BetterAuthError } from "@better-auth/core/error";
import { APIError, isAPIError } from "better-auth/api";
import type { Actor } from "better-auth-tenant";
import { type Context, Hono } from "hono";
import * as z from "zod";
import type { Auth } from "../../auth";
import type { Log } from "../../monitoring/log";
import type { Action } from "../../operators/permissions";
import type { Locate } from "../../regions/directory";
import { decryptLines, MIN_FILE_PASSWORD } from "../../tenant-file/encrypted-lines";
import { exportFile, importFile } from "../../tenant-file/transfer";
import type { OperatorCall } from "../operator-call";
import type { ManagerCheck } from "../operator-routes";
import { download } from "./download";
import { Upload } from "./upload";

/** Each one keeps the database busy, and needs 256 MB for its password. */
const MAX_RUNNING = 2;

const RETRY_AFTER_SECONDS = 30;

const currentPassword = z.string().max(1000).optional();
const filePassword = z.string().max(1000);

const exportBody = z.strictObject({
	tenantId: z.string().min(1).max(255),
	password: filePassword.min(MIN_FILE_PASSWORD),
	currentPassword,
});

const importHead = z.strictObject({
	password: filePassword,
	currentPassword,
	releaseSlug: z.boolean().default(false),
});

type Parts = {
	auth: Auth;
	log: Pick<Log, "warn">;
	/** Calls an endpoint on behalf of a caller. */
	call: OperatorCall;
	checkManager: ManagerCheck;
	/** `null` without regions. */
	locate: Locate | null;
	/** How much work the password of a file costs, for tests. */
	fileLogN: number | undefined;
};

/** A tenant as an encrypted file, as the command line has it. */
export function tenantFileRoutes({ auth, log, call, checkManager, locate, fileLogN }: Parts): Hono {
	const running = new Set<string>();

	/** Each actor has one place: a slow one must not keep all of them. Returns how to give it back. */
	const takePlace = ({ kind, id }: Actor): (() => void) => {
		const actor = `${kind} ${id}`;
		if (running.size >= MAX_RUNNING || running.has(actor)) throw busy();
		running.add(actor);
		return () => {
			running.delete(actor);
		};
	};

	/** The caller, who has confirmed it with the own password. */
	const confirm = async (
		{ req }: Context,
		body: { action: Action; tenantId: string | null; currentPassword: string | undefined },
	) => {
		const { headers } = req.raw;
		const response = await call("/operator/confirm", headers, body);
		if (!response.ok) throw new Refused(response);
		const { actor } = (await response.json()) as { actor: Actor };
		return { actor, headers };
	};

	const routes = new Hono();
	routes.use(async (c, next) => {
		await next();
		c.header("cache-control", "no-store");
	});

	routes.post("/export", async (c) => {
		const body = parse(exportBody, await c.req.json().catch(() => null));
		const { tenantId, password, currentPassword } = body;
		const author = await confirm(c, { action: "tenant:export", tenantId, currentPassword });
		const { slug } = await auth.api.getTenant({ query: { id: tenantId } });
		const leave = takePlace(author.actor);
		const settings = { tenantId, password, logN: fileLogN };
		const { file } = await exportFile(auth, author, settings).catch((error) => {
			leave();
			throw error;
		});
		const content = download(file, (error) => {
			leave();
			if (error) log.warn({ err: error }, "the export of a tenant is not complete");
		});
		return c.body(content, 200, {
			"content-type": "application/octet-stream",
			"content-disposition": `attachment; filename="${slug}.age"`,
		});
	});

	routes.post("/import", async (c) => {
		// Before anything is read: nobody else may keep the server waiting for a body.
		const rejection = await checkManager(c.req.raw.headers, "tenant:import");
		if (rejection) return rejection;
		const upload = new Upload(c.req.raw);
		try {
			const head = parse(importHead, await upload.readHead());
			const { password, currentPassword, releaseSlug } = head;
			const action = "tenant:import";
			const author = await confirm(c, { action, tenantId: null, currentPassword });
			const leave = takePlace(author.actor);
			try {
				const lines = decryptLines(upload.file(), password);
				return c.json(await importFile(auth, author, lines, { releaseSlug, locate }));
			} finally {
				leave();
			}
		} catch (error) {
			await upload.skip();
			throw error;
		}
	});

	routes.onError((error) => {
		if (error instanceof Refused) return error.response;
		if (isAPIError(error)) {
			const { code, message } = { code: "", message: error.message, ...error.body };
			const { statusCode: status, headers } = error;
			return Response.json({ code, message }, { status, headers: new Headers(headers) });
		}
		// What the export and the import find out. Their messages contain no secret.
		if (error instanceof BetterAuthError) {
			const message = error.message.replace(/^(ex|im)portTenant: /, "");
			return Response.json({ code: "TENANT_FILE_REFUSED", message }, { status: 400 });
		}
		throw error;
	});
	return routes;
}

/** An endpoint has refused the caller. */
class Refused extends Error {
	constructor(readonly response: Response) {
		super("refused");
	}
}

function parse<T>(schema: z.ZodType<T>, value: unknown): T {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	// Not the values: one is a password.
	const problems = result.error.issues.map(
		({ path, message }) => `[${["body", ...path].join(".")}] ${message}`,
	);
	throw new APIError("BAD_REQUEST", { code: "VALIDATION_ERROR", message: problems.join("; ") });
}

const busy = () =>
	new APIError(
		"TOO_MANY_REQUESTS",
		{
			code: "TOO_MANY_REQUESTS",
			message: "You or others are exporting or importing a tenant. Try again later.",
		},
		{ "Retry-After": String(RETRY_AFTER_SECONDS) },
	);
