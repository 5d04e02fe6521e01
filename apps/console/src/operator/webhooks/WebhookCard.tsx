import { useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { formatCount, formatTime } from "../../format";
import { Button } from "../../ui/Button";
import { Confirm, Dialog } from "../../ui/Dialog";
import { Badge, Notice } from "../../ui/feedback";
import { Form, Select } from "../../ui/fields";
import { Card } from "../../ui/layout";
import { Menu, type MenuItem } from "../../ui/Menu";
import { useToast } from "../../ui/Toast";
import { useApi } from "../api/context";
import { type Webhook, webhooksKey } from "../api/webhooks";
import { useMayInTenant, useTenant } from "../current-tenant/tenant-context";
import { DetailList } from "../details";
import { ALL_EVENTS } from "./event-types";
import { Secret, WebhookDialog } from "./WebhookForm";

export function WebhookCard({ webhook }: { webhook: Webhook }) {
	const tenant = useTenant();
	const { testWebhook, updateWebhook, deleteWebhook } = useApi();
	const toast = useToast();
	const [openDialog, setOpenDialog] = useState<"edit" | "rotate" | "delete">();
	const close = () => setOpenDialog(undefined);
	const { id, url, description, enabled, failures, disabledAt, previousSecretUntil } = webhook;
	const invalidate = [webhooksKey(tenant.id)];
	const onError = ({ message }: Error) => toast(message, "danger");
	const test = useApiMutation({
		mutationFn: () => testWebhook(tenant.id, id),
		invalidate,
		onError,
	});
	const setEnabled = useApiMutation({
		mutationFn: () => updateWebhook(tenant.id, id, { enabled: !enabled }),
		successMessage: enabled ? "Webhook disabled." : "Webhook enabled.",
		invalidate,
		onError,
	});
	const remove = useApiMutation({
		mutationFn: () => deleteWebhook(tenant.id, id),
		successMessage: "Webhook deleted.",
		invalidate,
	});
	const may = useMayInTenant();
	const items: MenuItem[] = [
		...(may("webhook:update") ? [{ label: "Edit", onSelect: () => setOpenDialog("edit") }] : []),
		...(may("webhook:rotate-secret")
			? [{ label: "Rotate secret", onSelect: () => setOpenDialog("rotate") }]
			: []),
		...(may("webhook:update")
			? [{ label: enabled ? "Disable" : "Enable", onSelect: () => setEnabled.mutate() }]
			: []),
		...(may("webhook:delete")
			? [{ label: "Delete", danger: true, onSelect: () => setOpenDialog("delete") }]
			: []),
	];
	return (
		<Card
			title={
				<>
					<span className="break">{description || new URL(url).host}</span>{" "}
					{enabled ? <Badge kind="success">Enabled</Badge> : <Badge kind="warning">Disabled</Badge>}
				</>
			}
			actions={
				<>
					{may("webhook:test") && (
						<Button size="small" busy={test.isPending} onClick={() => test.mutate()}>
							Test
						</Button>
					)}
					{items.length > 0 && <Menu label={`Actions for ${url}`} items={items} />}
				</>
			}
		>
			{disabledAt && (
				<Notice kind="warning">
					Disabled at {formatTime(disabledAt)}, because it kept failing. Enable it when the receiver
					works again.
				</Notice>
			)}
			{test.data && (
				<Notice kind={test.data.state === "delivered" ? "success" : "danger"}>
					{test.data.state === "delivered"
						? `The receiver responded with ${test.data.responseStatus}.`
						: `The test failed: ${test.data.error ?? `the receiver responded with ${test.data.responseStatus}`}.`}
				</Notice>
			)}
			<DetailList
				details={[
					{ title: "URL", value: <code>{url}</code>, copy: url },
					{
						title: "Events",
						value: webhook.eventTypes.includes(ALL_EVENTS) ? "All" : webhook.eventTypes.join(", "),
					},
					...(failures > 0
						? [
								{
									title: "Failed attempts",
									value: `${formatCount(failures)} since the last success`,
								},
							]
						: []),
					...(previousSecretUntil
						? [{ title: "Old secret", value: `signs too until ${formatTime(previousSecretUntil)}` }]
						: []),
				]}
			/>
			<WebhookDialog webhook={webhook} open={openDialog === "edit"} onClose={close} />
			<Dialog title="Rotate the secret" open={openDialog === "rotate"} onClose={close}>
				<RotateForm webhook={webhook} onClose={close} />
			</Dialog>
			<Confirm
				title="Delete this webhook?"
				action="Delete webhook"
				open={openDialog === "delete"}
				mutation={remove}
				onClose={close}
			>
				<p>{url} gets no more events, and its deliveries are deleted.</p>
			</Confirm>
		</Card>
	);
}

const OVERLAPS = [
	{ value: "24", label: "24 hours" },
	{ value: "168", label: "7 days" },
	{ value: "0", label: "Not at all" },
];

function RotateForm({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
	const tenant = useTenant();
	const { rotateWebhookSecret } = useApi();
	const [overlap, setOverlap] = useState("24");
	const rotate = useApiMutation({
		mutationFn: () => rotateWebhookSecret(tenant.id, webhook.id, Number(overlap)),
		invalidate: [webhooksKey(tenant.id)],
	});
	if (rotate.data) return <Secret secret={rotate.data.secret} onClose={onClose} />;
	return (
		<Form onSubmit={() => !rotate.isPending && rotate.mutate()}>
			{rotate.error && <Notice kind="danger">{rotate.error.message}</Notice>}
			<Select
				label="The old secret signs too for"
				options={OVERLAPS}
				value={overlap}
				onValueChange={setOverlap}
				hint="In this time, the receiver can change to the new secret without losing events."
			/>
			<footer className="dialog-foot">
				<Button onClick={onClose}>Cancel</Button>
				<Button kind="primary" type="submit" busy={rotate.isPending}>
					Rotate secret
				</Button>
			</footer>
		</Form>
	);
}
