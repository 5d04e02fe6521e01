import { type OutputOptions, printResult, table } from "../output";
import { requireTenant, withAuth } from "../with-auth";

type Options = OutputOptions & { action?: string; limit: number; offset: number };

export async function list(slugOrId: string | undefined, options: Options): Promise<void> {
	await withAuth(async (auth) => {
		const tenantId = slugOrId && (await requireTenant(auth, slugOrId)).id;
		const { limit, offset, action } = options;
		const { response: events, headers } = await auth.api.listTenantAuditEvents({
			query: { limit, offset, ...(tenantId && { tenantId }), ...(action && { action }) },
			returnHeaders: true,
		});
		const total = Number(headers.get("x-total-count"));
		printResult(options, { total, events }, () => {
			const rows = events.map(({ createdAt, action, tenantId, actor, targetId }) => [
				createdAt.toISOString(),
				action,
				tenantId,
				[actor.kind, actor.id].filter(Boolean).join(" "),
				targetId,
			]);
			const headings = ["TIME", "ACTION", "TENANT", "ACTOR", "TARGET"];
			return `${table(headings, rows)}\n\n${events.length} of ${total}`;
		});
	});
}
