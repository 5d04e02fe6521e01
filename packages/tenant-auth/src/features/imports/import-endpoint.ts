import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { flag } from "../../described";
import { type AuditEntry, recordAuditEvent } from "../../management/audit/audit-store";
import { namedTenantSchema } from "../../management/tenants/tenant";
import { endpointsOf } from "../endpoints/define";
import { IMPORT_ERRORS } from "./error-codes";
import { importError } from "./import-error";
import { importLineSchema } from "./import-line";
import { importResultSchema } from "./import-result";
import { MAX_LINES, readLines } from "./import-stream";
import { importLines } from "./import-users";
import { IMPORT_ROUTES } from "./routes";

const { managedTenantEndpoint } = endpointsOf(IMPORT_ROUTES, IMPORT_ERRORS);

const noLines = () =>
	new APIError("BAD_REQUEST", { code: "VALIDATION_ERROR", message: "The body has no lines" });

/** The texts come from a file, which may have empty lines. */
const numbered = (users: readonly unknown[]) =>
	users.map((value, index) => ({ number: index + 1, value }));

const count = (status: string) => z.number().meta({ description: `How many were ${status}` });

const bodyWith = <User extends z.ZodType>(user: User) =>
	z.object({
		tenantId: namedTenantSchema,
		users: z
			.array(user)
			.min(1)
			.meta({ description: `The users, at most ${MAX_LINES}` }),
		dryRun: flag("Only report what would happen; default false").optional(),
	});

const lineStream = z.custom<ReadableStream<Uint8Array>>((body) => body instanceof ReadableStream);

export const importTenantUsers = managedTenantEndpoint(
	"importTenantUsers",
	{
		description:
			"Import users into a tenant, as JSON or as one user per line; a repeated externalId updates",
		// Each user is checked alone: one that is not valid does not stop the others.
		body: z.union([bodyWith(z.unknown()), lineStream]),
		// Lines have no other place for it. Beside a JSON body it applies too: a request for a dry run must
		// never import.
		query: z
			.object({
				tenantId: namedTenantSchema,
				dryRun: z
					.enum(["true", "false"])
					.meta({ description: "As in the body; for lines, which have no other place for it" })
					.optional(),
			})
			.optional(),
		requestBody: {
			"application/json": bodyWith(importLineSchema),
			"application/x-ndjson": importLineSchema,
		},
		response: z.object({
			created: count("created"),
			updated: count("updated"),
			unchanged: count("already so"),
			failed: count("refused"),
			results: z.array(importResultSchema).meta({ description: "The result of each line" }),
		}),
		errors: ["TENANT_SUSPENDED", "IMPORT_TOO_LARGE", "TRANSACTION_REQUIRED"],
		metadata: { allowedMediaTypes: ["application/json", "application/x-ndjson"] },
	},
	async (ctx, scope, options) => {
		const { body, context } = ctx;
		const record = (entry: AuditEntry) => recordAuditEvent(ctx, entry);
		const lines = body instanceof ReadableStream ? await readLines(body) : numbered(body.users);
		if (lines.length === 0) throw noLines();
		if (lines.length > MAX_LINES) throw importError("IMPORT_TOO_LARGE");
		const inBody = !(body instanceof ReadableStream) && body.dryRun === true;
		const dryRun = inBody || ctx.query?.dryRun === "true";
		const results = await importLines({ context, options, scope, record, dryRun }, lines);
		const countOf = (status: string) => results.filter((it) => it.status === status).length;
		return ctx.json({
			created: countOf("created"),
			updated: countOf("updated"),
			unchanged: countOf("unchanged"),
			failed: countOf("failed"),
			results,
		});
	},
);
