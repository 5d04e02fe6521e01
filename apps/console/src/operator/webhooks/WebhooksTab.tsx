import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { formatTime } from "../../format";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Badge, EmptyState } from "../../ui/feedback";
import { Select } from "../../ui/fields";
import type { MenuItem } from "../../ui/Menu";
import type { Column } from "../../ui/Table";
import { useToast } from "../../ui/Toast";
import { useApi } from "../api/context";
import { type Delivery, type Webhook, webhooksKey } from "../api/webhooks";
import { TenantPageHeader } from "../current-tenant/TenantPageHeader";
import { useMayInTenant, useTenant } from "../current-tenant/tenant-context";
import { Time } from "../details";
import { DataList } from "../lists/DataList";
import { Loaded } from "../lists/Loaded";
import { type ListState, useListState } from "../lists/list-state";
import { WebhookCard } from "./WebhookCard";
import { WebhookDialog } from "./WebhookForm";

export function WebhooksTab() {
	const { webhooksQuery } = useApi();
	const tenant = useTenant();
	const query = useQuery(webhooksQuery(tenant.id));
	const [isCreating, setCreating] = useState(false);
	const may = useMayInTenant();
	const create = may("webhook:create") && (
		<Button kind="primary" onClick={() => setCreating(true)}>
			Create webhook
		</Button>
	);
	return (
		<div className="stack">
			<TenantPageHeader
				title="Webhooks"
				hint="Send events of this tenant to other servers."
				actions={query.data && query.data.length > 0 && create}
			/>
			<Loaded
				query={query}
				empty={
					<EmptyState title="No webhooks yet" action={create}>
						Create one, and your server gets a request for each sign-in, new user or other event.
					</EmptyState>
				}
			>
				{(webhooks) => (
					<>
						<div className="columns">
							{webhooks.map((webhook) => (
								<WebhookCard key={webhook.id} webhook={webhook} />
							))}
						</div>
						{may("webhook:list-deliveries") && <Deliveries webhooks={webhooks} />}
					</>
				)}
			</Loaded>
			<WebhookDialog open={isCreating} onClose={() => setCreating(false)} />
		</div>
	);
}

const STATES = {
	pending: { label: "Pending", kind: "info" },
	delivered: { label: "Delivered", kind: "success" },
	failed: { label: "Failed", kind: "danger" },
} as const satisfies Record<Delivery["state"], object>;

const isState = (text: string): text is Delivery["state"] => Object.hasOwn(STATES, text);

const nameOf = ({ description, url }: Webhook) => description || new URL(url).host;

const columnsOf = (webhooks: Webhook[]): Column<Delivery>[] => [
	{ title: "Time", sorted: true, cell: ({ createdAt }) => <Time timestamp={createdAt} /> },
	{ title: "Event", heading: true, cell: ({ eventType }) => <code>{eventType}</code> },
	{
		title: "Webhook",
		cell: ({ webhookId }) => {
			const webhook = webhooks.find(({ id }) => id === webhookId);
			return <span className="break">{webhook ? nameOf(webhook) : "–"}</span>;
		},
	},
	{
		title: "State",
		cell: ({ state }) => <Badge kind={STATES[state].kind}>{STATES[state].label}</Badge>,
	},
	{
		title: "Response",
		cell: ({ responseStatus, error, nextAttemptAt }) => (
			<span>
				{responseStatus ?? error ?? "–"}
				{nextAttemptAt && (
					<span className="muted small subtext">Next attempt {formatTime(nextAttemptAt)}</span>
				)}
			</span>
		),
	},
	{ title: "Attempts", cell: ({ attempts }) => attempts },
];

function Deliveries({ webhooks }: { webhooks: Webhook[] }) {
	const { deliveriesQuery } = useApi();
	const tenant = useTenant();
	const state = useListState();
	const [webhookId, wanted] = [state.filter("webhook"), state.filter("state")];
	const filters = {
		...(webhookId ? { webhookId } : {}),
		...(isState(wanted) ? { state: wanted } : {}),
	};
	const query = useQuery(deliveriesQuery(tenant.id, { ...state.pageParams, ...filters }));
	const totalQuery = useQuery(deliveriesQuery(tenant.id, { ...state.totalParams, ...filters }));
	const { rowActions, dialogs } = useRowActions();
	return (
		<section className="stack" aria-labelledby="deliveries">
			<h2 id="deliveries">Deliveries</h2>
			<DataList
				what="deliveries"
				caption="Deliveries"
				query={query}
				totalQuery={totalQuery}
				state={state}
				columns={columnsOf(webhooks)}
				rowKey={({ id }) => id}
				rowName={({ eventType, createdAt }) => `${eventType} of ${formatTime(createdAt)}`}
				rowActions={rowActions}
				filters={<Filters state={state} webhooks={webhooks} />}
				empty={<EmptyState title="No deliveries yet" />}
				noMatches={
					Object.keys(filters).length > 0 && (
						<EmptyState title="No deliveries match these filters" />
					)
				}
			/>
			{dialogs}
		</section>
	);
}

function Filters({ state, webhooks }: { state: ListState; webhooks: Webhook[] }) {
	return (
		<div className="filters">
			<Select
				label="Webhook"
				options={[
					{ value: "", label: "All webhooks" },
					...webhooks.map((webhook) => ({ value: webhook.id, label: nameOf(webhook) })),
				]}
				value={state.filter("webhook")}
				onValueChange={(id) => state.setFilter("webhook", id)}
			/>
			<Select
				label="State"
				options={[
					{ value: "", label: "All states" },
					...Object.entries(STATES).map(([value, { label }]) => ({ value, label })),
				]}
				value={state.filter("state")}
				onValueChange={(value) => state.setFilter("state", value)}
			/>
		</div>
	);
}

function useRowActions() {
	const tenant = useTenant();
	const { replayDelivery } = useApi();
	const toast = useToast();
	const mayReplay = useMayInTenant()("webhook:replay-delivery");
	const [shown, setShown] = useState<Delivery>();
	const replay = useApiMutation({
		mutationFn: ({ id }: Delivery) => replayDelivery(tenant.id, id),
		successMessage: "The event will be sent again.",
		invalidate: [webhooksKey(tenant.id)],
		onError: ({ message }) => toast(message, "danger"),
	});
	const rowActions = (delivery: Delivery): MenuItem[] => [
		{ label: "Show content", onSelect: () => setShown(delivery) },
		...(mayReplay ? [{ label: "Send again", onSelect: () => replay.mutate(delivery) }] : []),
	];
	const dialogs = (
		<Dialog
			title={shown?.eventType ?? ""}
			open={shown !== undefined}
			onClose={() => setShown(undefined)}
			wide
		>
			<pre className="code-block">
				<code>{shown && formatJson(shown.payload)}</code>
			</pre>
		</Dialog>
	);
	return { rowActions, dialogs };
}

function formatJson(text: string): string {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
}
