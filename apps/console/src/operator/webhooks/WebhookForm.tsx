import { useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Notice } from "../../ui/feedback";
import { Form, TextField } from "../../ui/fields";
import { Checkbox } from "../../ui/Switch";
import { useApi } from "../api/context";
import { type Webhook, webhooksKey } from "../api/webhooks";
import { useTenant } from "../current-tenant/tenant-context";
import { ShownOnce } from "../users/access-dialogs";
import { ALL_EVENTS, EVENT_TYPES } from "./event-types";

type WebhookFormProps = {
	/** `undefined` for a new one. */
	webhook?: Webhook | undefined;
	onClose: () => void;
};

export function WebhookDialog({ open, ...props }: WebhookFormProps & { open: boolean }) {
	const title = props.webhook ? "Edit the webhook" : "Create a webhook";
	return (
		<Dialog title={title} open={open} onClose={props.onClose} wide>
			<WebhookForm {...props} />
		</Dialog>
	);
}

function WebhookForm({ webhook, onClose }: WebhookFormProps) {
	const tenant = useTenant();
	const { createWebhook, updateWebhook } = useApi();
	const [url, setUrl] = useState(webhook?.url ?? "");
	const [description, setDescription] = useState(webhook?.description ?? "");
	const [eventTypes, setEventTypes] = useState(webhook?.eventTypes ?? [ALL_EVENTS]);
	const save = useApiMutation({
		mutationFn: async (): Promise<{ secret: string | null }> => {
			const input = { url: url.trim(), description: description.trim() || null, eventTypes };
			if (!webhook) return createWebhook(tenant.id, input);
			await updateWebhook(tenant.id, webhook.id, input);
			return { secret: null };
		},
		successMessage: webhook ? "Saved." : "Webhook created.",
		invalidate: [webhooksKey(tenant.id)],
		onSuccess: ({ secret }) => {
			if (secret === null) onClose();
		},
	});
	if (save.data?.secret) return <Secret secret={save.data.secret} onClose={onClose} />;
	return (
		<Form
			autoComplete="off"
			onSubmit={() => eventTypes.length > 0 && !save.isPending && save.mutate()}
		>
			{save.error && <Notice kind="danger">{save.error.message}</Notice>}
			<TextField
				label="URL"
				type="url"
				placeholder="https://"
				hint="A public https URL. It gets a signed POST request for each event."
				value={url}
				onValueChange={setUrl}
				autoComplete="off"
				required
			/>
			<TextField
				label="Description"
				value={description}
				onValueChange={setDescription}
				autoComplete="off"
			/>
			<EventChoice eventTypes={eventTypes} onChange={setEventTypes} />
			<footer className="dialog-foot">
				<Button onClick={onClose}>Cancel</Button>
				<Button
					kind="primary"
					type="submit"
					busy={save.isPending}
					unavailable={eventTypes.length === 0 ? "Choose an event first." : null}
				>
					{webhook ? "Save" : "Create webhook"}
				</Button>
			</footer>
		</Form>
	);
}

type EventChoiceProps = { eventTypes: string[]; onChange: (eventTypes: string[]) => void };

function EventChoice({ eventTypes, onChange }: EventChoiceProps) {
	const isAll = eventTypes.includes(ALL_EVENTS);
	const toggle = (type: string, isChosen: boolean) =>
		onChange(isChosen ? [...eventTypes, type] : eventTypes.filter((other) => other !== type));
	return (
		<fieldset className="choices">
			<legend>Events</legend>
			<Checkbox
				label="All events"
				checked={isAll}
				onCheckedChange={(all) => onChange(all ? [ALL_EVENTS] : ["user.created"])}
			/>
			{!isAll && (
				<div className="event-choices">
					{Object.entries(EVENT_TYPES).map(([title, types]) => (
						<fieldset key={title} className="choices">
							<legend>{title}</legend>
							{types.map((type) => (
								<Checkbox
									key={type}
									label={type}
									checked={eventTypes.includes(type)}
									onCheckedChange={(isChosen) => toggle(type, isChosen)}
								/>
							))}
						</fieldset>
					))}
				</div>
			)}
		</fieldset>
	);
}

export function Secret({ secret, onClose }: { secret: string; onClose: () => void }) {
	return (
		<>
			<p>The receiver verifies the signature of each request with this secret.</p>
			<ShownOnce value={secret} what="secret" />
			<footer className="dialog-foot">
				<Button kind="primary" onClick={onClose}>
					Done
				</Button>
			</footer>
		</>
	);
}
