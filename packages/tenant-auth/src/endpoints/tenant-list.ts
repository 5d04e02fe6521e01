import * as z from "zod";
import { listTenantsInBatches, type TenantList } from "../tenants/list";
import { type Tenant, tenantSchema } from "../tenants/tenant";
import { managementEndpoint } from "./define";
import { integer, pageFields, searchSchema } from "./pagination";

/** A longer list is sent in batches over HTTP: 100,000 tenants are about 20 MB. */
const MAX_WITHOUT_STREAM = 1000;

const query = z.object({
	...pageFields,
	limit: integer.min(1).meta({ description: "At most this many; default all" }).optional(),
	search: searchSchema.meta({ description: "A part of the name or of the slug" }).optional(),
});

export const listTenants = managementEndpoint(
	"listTenants",
	{
		description: "List the tenants, oldest first; the header x-total-count has their number",
		query: query.optional(),
		answer: z.array(tenantSchema),
	},
	() => null,
	async (ctx) => {
		const { limit, offset = 0, search } = ctx.query ?? {};
		const list = await listTenantsInBatches(ctx.context, { limit, offset, search });
		ctx.setHeader("x-total-count", String(list.total));
		if (list.length > MAX_WITHOUT_STREAM && isRouted(ctx)) return stream(list) as never;
		const tenants: Tenant[] = [];
		for await (const batch of list.batches) tenants.push(...batch);
		return ctx.json(tenants);
	},
);

/** Whether the call came over HTTP. A caller of `auth.api` gets an array, as its type says. */
const isRouted = (ctx: object) => "_flag" in ctx && ctx._flag === "router";

const stream = ({ batches }: TenantList) =>
	new Response(streamJson(batches), { headers: { "content-type": "application/json" } });

/** A JSON array that is never in memory as a whole. */
function streamJson(batches: AsyncGenerator<unknown[]>): ReadableStream<Uint8Array> {
	const encoder = new TextEncoder();
	let isFirst = true;
	return new ReadableStream({
		async pull(controller) {
			const { done, value } = await batches.next();
			if (done) {
				controller.enqueue(encoder.encode(isFirst ? "[]" : "]"));
				controller.close();
				return;
			}
			const items = value.map((item) => JSON.stringify(item)).join(",");
			controller.enqueue(encoder.encode((isFirst ? "[" : ",") + items));
			isFirst = false;
		},
		async cancel() {
			await batches.return(undefined);
		},
	});
}
