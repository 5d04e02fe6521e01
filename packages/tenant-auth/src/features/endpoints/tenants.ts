import * as z from "zod";
import { findTenantRow } from "../../call/context/tenant";
import { requirePossibleId } from "../../call/context/tenant-id";
import type { Page, Part } from "../../database/pages";
import { flag, text } from "../../described";
import { findActingMember } from "../../management/access/acting-member";
import { requireApp } from "../../management/access/authorize";
import { audited } from "../../management/audit/audit-store";
import { listTenantPage } from "../../management/tenants/list";
import { BRANDING, parseBranding, parseMetadata } from "../../management/tenants/metadata-schema";
import { forCaller, lockMetadata, requireAllowedChange } from "../../management/tenants/own-tenant";
import { purgeTenant } from "../../management/tenants/purge";
import {
	changeSlug,
	changeSuspension,
	insertTenant,
	requireOwnId,
	requireTenant,
	requireUsableSlug,
	startDeletion,
	updateTenantRow,
} from "../../management/tenants/store";
import {
	idSchema,
	metadataSchema,
	nameSchema,
	ownIdSchema,
	requireMetadataSize,
	TENANT_STATUSES,
	type Tenant,
	type TenantMetadata,
	tenantSchema,
	toTenant,
} from "../../management/tenants/tenant";
import { tenantError } from "../../tenant-error";
import { managedTenantEndpoint, managementEndpoint, successResponse, tenantBody } from "./define";
import {
	integer,
	listPart,
	listResponse,
	pageFields,
	requestedPart,
	requestedSort,
	searchSchema,
	sortSchema,
} from "./lists";

const releaseSlug = flag(
	"Whether to take a slug that another tenant had; only your app can",
).optional();

export const createTenant = managementEndpoint(
	"createTenant",
	{
		description: "Create a tenant",
		body: z.object({
			id: ownIdSchema
				.meta({ description: "An id of your own, which no tenant has or had; default a new one" })
				.optional(),
			name: nameSchema.meta({ description: "Display name" }),
			slug: text("Unique name for URLs"),
			releaseSlug,
			metadata: metadataSchema
				.meta({ description: "Any JSON object of your app" })
				.nullable()
				.optional(),
		}),
		response: tenantSchema,
		errors: ["INVALID_SLUG", "SLUG_RESERVED", "TENANT_ALREADY_EXISTS"],
	},
	() => null,
	async (ctx, _, options) => {
		const { id, name, slug, releaseSlug } = ctx.body;
		if (releaseSlug) requireApp("release a slug");
		if (id !== undefined) requireOwnId(ctx.context.options, id);
		requireUsableSlug(slug, options.reservedSlugs);
		const metadata = await parseMetadata(ctx.body.metadata, options.metadata);
		requireMetadataSize(metadata, options.maxMetadataBytes);
		const tenant = await audited(
			ctx,
			() => insertTenant(ctx.context, { id, name, slug, metadata, releaseSlug }),
			({ id }) => ({ action: "tenant:create", tenantId: id, detail: { name, slug } }),
		);
		return ctx.json(tenant);
	},
);

const id = idSchema.meta({ description: "The tenant's id" });
const slug = idSchema.meta({ description: "The tenant's slug" });
const missing = z.undefined().optional();
const none = z.object({ id: missing, slug: missing });

export const getTenant = managementEndpoint(
	"getTenant",
	{
		description: "Get a tenant by id or by slug; a role gets its own tenant without them",
		query: z
			.union([z.object({ id, slug: missing }), z.object({ slug, id: missing }), none], {
				error: "Only one of id and slug is possible",
			})
			.optional(),
		response: tenantSchema,
		errors: ["TENANT_ID_REQUIRED", "TENANT_NOT_FOUND"],
	},
	// The check is about the tenant that has the slug.
	async ({ query, context }): Promise<string | null> => {
		if (query?.slug === undefined) return query?.id ?? null;
		return (await findTenantRow(context, "slug", query.slug))?.id ?? null;
	},
	async (ctx, tenantId) => {
		const id = namesSlug(ctx) ? (tenantId ?? "") : requireNamed(tenantId);
		const row = await requireTenant(ctx.context, "id", requirePossibleId(ctx, id));
		return ctx.json(forCaller(toTenant(row)));
	},
	// A slug that nobody has does not mean the caller's own tenant.
	(ctx) => !namesSlug(ctx),
);

const namesSlug = ({ query }: { query?: { slug?: string | undefined } | undefined }) =>
	query?.slug !== undefined;

function requireNamed(tenantId: string | null): string {
	if (tenantId === null) throw tenantError("TENANT_ID_REQUIRED");
	return tenantId;
}

export const updateTenant = managementEndpoint(
	"updateTenant",
	{
		description: "Update a tenant",
		body: z.object({
			tenantId: idSchema
				.meta({ description: "The tenant's id; a role changes its own tenant without it" })
				.optional(),
			name: nameSchema.meta({ description: "Display name" }).optional(),
			slug: text("Unique name for URLs").optional(),
			releaseSlug,
			metadata: metadataSchema
				.meta({ description: "Any JSON object of your app; replaces the old one, null removes it" })
				.nullable()
				.optional(),
		}),
		response: tenantSchema,
		errors: [
			"INVALID_SLUG",
			"SLUG_RESERVED",
			"ROLE_NOT_ALLOWED",
			"TENANT_ID_REQUIRED",
			"TENANT_NOT_FOUND",
			"TENANT_ALREADY_EXISTS",
		],
	},
	({ body }): string | null => body.tenantId ?? null,
	async (ctx, named, options) => {
		const tenantId = requireNamed(named);
		const { tenantId: _, releaseSlug: releases, ...body } = ctx.body;
		if (releases) requireApp("release a slug");
		const isMember = findActingMember() !== null;
		// A member sends the branding alone.
		const metadata = isMember
			? body.metadata
			: await parseMetadata(body.metadata, options.metadata);
		const changes = { ...body, ...(metadata === undefined ? {} : { metadata }) };
		const requireSize = (metadata: TenantMetadata | null | undefined) =>
			requireMetadataSize(metadata, options.maxMetadataBytes);
		requireSize(changes.metadata);
		requireAllowedChange(changes);
		const tenant = await requireTenant(ctx.context, "id", requirePossibleId(ctx, tenantId));
		// A tenant keeps a slug that was reserved later.
		if (changes.slug !== undefined && changes.slug !== tenant.slug) {
			requireUsableSlug(changes.slug, options.reservedSlugs);
		}
		const changed = await audited(
			ctx,
			async () => {
				const { slug, ...rest } = changes;
				if (slug !== undefined) await changeSlug(ctx.context, tenantId, slug, { releases });
				if (!isMember || changes.metadata === undefined) {
					return updateTenantRow(ctx.context, tenantId, rest);
				}
				const stored = await lockMetadata(ctx.context, tenant);
				const branding = changes.metadata?.[BRANDING];
				const metadata = await parseBranding(stored, branding, options.metadata);
				requireSize(metadata);
				return updateTenantRow(ctx.context, tenantId, { ...rest, metadata });
			},
			() => ({ action: "tenant:update", tenantId, detail: detailOf(changes) }),
		);
		return ctx.json(forCaller(changed));
	},
	() => true,
);

/** Metadata may be large and private, so the audit log only says that it changed. */
function detailOf({
	metadata,
	...rest
}: {
	metadata?: object | null;
	name?: string;
	slug?: string;
}) {
	return { ...rest, ...(metadata === undefined ? {} : { metadata: true }) };
}

export const deleteTenant = managementEndpoint(
	"deleteTenant",
	{
		description: "Delete a tenant with its users, sessions, accounts and OAuth configs",
		body: z.object({ tenantId: idSchema.meta({ description: "The tenant's id" }) }),
		response: successResponse,
		errors: ["TENANT_NOT_FOUND"],
	},
	({ body }) => body.tenantId,
	async (ctx, tenantId) => {
		const tenant = await requireTenant(ctx.context, "id", requirePossibleId(ctx, tenantId));
		await audited(
			ctx,
			() => startDeletion(ctx.context, tenant),
			() => ({ action: "tenant:delete", tenantId, detail: { slug: tenant.slug } }),
		);
		await purgeTenant(ctx.context, tenant);
		return ctx.json({ success: true as const });
	},
);

export const suspendTenant = managedTenantEndpoint(
	"suspendTenant",
	{
		description: "Suspend a tenant: nobody can sign in and no session is valid until it is resumed",
		body: tenantBody,
		response: tenantSchema,
	},
	async (ctx, { tenantId }) => ctx.json(toTenant(await changeSuspension(ctx, tenantId, "suspend"))),
);

export const resumeTenant = managedTenantEndpoint(
	"resumeTenant",
	{
		description: "Resume a suspended tenant: its old sessions are valid again",
		body: tenantBody,
		response: tenantSchema,
	},
	async (ctx, { tenantId }) => ctx.json(toTenant(await changeSuspension(ctx, tenantId, "resume"))),
);

/** A longer list is sent piece by piece over HTTP: 100,000 tenants are about 20 MB. */
const MAX_WITHOUT_STREAM = 1000;
const PIECE = 250;

const query = z.object({
	...pageFields,
	limit: integer.min(1).meta({ description: "At most this many; default all" }).optional(),
	search: searchSchema.meta({ description: "A part of the name or of the slug" }).optional(),
	sort: sortSchema("name", "slug")
		.meta({ description: "By this text, with a minus from the end; without search and order" })
		.optional(),
	status: z
		.enum(TENANT_STATUSES)
		.meta({ description: "Only tenants that are suspended, or that are not" })
		.optional(),
});

export const listTenants = managementEndpoint(
	"listTenants",
	{
		description: "List the tenants, oldest first; the header x-total-count has their number",
		query: query.optional(),
		response: listResponse(tenantSchema),
		errors: ["INVALID_CURSOR", "SORT_NOT_AVAILABLE"],
	},
	() => null,
	async (ctx) => {
		const { limit = Number.POSITIVE_INFINITY, search, cursor, status } = ctx.query ?? {};
		const sort = requestedSort(ctx.query);
		const part = await requestedPart(ctx, { name: "tenants", tenantId: null, order: "oldest" });
		const isPage = cursor !== undefined || sort !== undefined || limit <= MAX_WITHOUT_STREAM;
		// A search looks for all matches again for each page.
		const piece = search ? MAX_WITHOUT_STREAM : PIECE;
		const size = isPage ? Math.min(part.limit, MAX_WITHOUT_STREAM) : Math.min(limit, piece);
		const wanted = { ...part, limit: size, search, status, sort };
		const page = await listTenantPage(ctx.context, wanted);
		if (isPage) return ctx.json(await listPart(ctx, page.rows, page, part));
		const tenants = await listPart<Tenant>(ctx, [], { ...page, next: null }, part);
		const pages = pagesFrom(page, limit, (next) =>
			listTenantPage(ctx.context, { ...wanted, ...next }),
		);
		const length = Math.min(limit, (page.total ?? Number.POSITIVE_INFINITY) - part.offset);
		if (length > MAX_WITHOUT_STREAM && isRouted(ctx)) return stream(pages) as never;
		for await (const rows of pages) tenants.push(...rows);
		return ctx.json(tenants);
	},
);

/** The rows of a page and of those after it. */
async function* pagesFrom<Row>(
	first: Page<Row>,
	limit: number,
	findNext: (part: Pick<Part, "after" | "limit"> & { countsTotal: false }) => Promise<Page<Row>>,
): AsyncGenerator<Row[]> {
	let { rows, next } = first;
	for (let left = limit; ; ) {
		if (rows.length > 0) yield rows;
		left -= rows.length;
		if (!next || left <= 0) return;
		const size = Math.min(left, first.rows.length);
		({ rows, next } = await findNext({ after: next, limit: size, countsTotal: false }));
	}
}

/** Whether the call came over HTTP. A caller of `auth.api` gets an array, as its type says. */
const isRouted = (ctx: object) => "_flag" in ctx && ctx._flag === "router";

/** A JSON array that is never in memory as a whole. */
function stream(pages: AsyncGenerator<unknown[]>): Response {
	const encoder = new TextEncoder();
	let before = "[";
	const body = new ReadableStream<Uint8Array>({
		async pull(controller) {
			const { done, value } = await pages.next();
			const end = before === "[" ? "[]" : "]";
			const text = done ? end : before + value.map((item) => JSON.stringify(item)).join(",");
			before = ",";
			controller.enqueue(encoder.encode(text));
			if (done) controller.close();
		},
		cancel: async () => void (await pages.return(undefined)),
	});
	return new Response(body, { headers: { "content-type": "application/json" } });
}
