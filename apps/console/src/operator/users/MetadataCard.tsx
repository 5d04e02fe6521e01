import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { ErrorState, Notice, Skeleton } from "../../ui/feedback";
import { CodeArea, Form } from "../../ui/fields";
import { Card } from "../../ui/layout";
import { useApi } from "../api/context";
import type { UserMetadata } from "../api/user-metadata";
import type { User } from "../api/users";
import { DetailList } from "../details";
import { whyNotSent } from "../save-reasons";

type MetadataCardProps = { tenantId: string; user: User; canChange: boolean };

/** What the tenant and the user have stored about the user. */
export function MetadataCard({ tenantId, user, canChange }: MetadataCardProps) {
	const { userMetadataQuery } = useApi();
	const { data, error, refetch } = useQuery(userMetadataQuery(tenantId, user.id));
	const [isEditing, setEditing] = useState(false);
	const close = () => setEditing(false);
	return (
		<Card
			title="Metadata"
			hint="Applications can get it as claims of their tokens. Users change their preferences themselves."
			actions={
				data &&
				canChange && (
					<Button size="small" onClick={() => setEditing(true)}>
						Edit metadata
					</Button>
				)
			}
		>
			{error && <ErrorState error={error} onRetry={refetch} />}
			{!data && !error && (
				<div aria-busy="true">
					<Skeleton kind="control" />
				</div>
			)}
			{data && (
				<DetailList
					details={[
						{ title: "Metadata", value: <JsonText value={data.metadata} /> },
						{ title: "Preferences", value: <JsonText value={data.preferences} /> },
					]}
				/>
			)}
			{data && (
				<Dialog title="Edit the metadata" open={isEditing} onClose={close}>
					<MetadataForm tenantId={tenantId} user={user} stored={data} onClose={close} />
				</Dialog>
			)}
		</Card>
	);
}

function JsonText({ value }: { value: Record<string, unknown> }) {
	if (Object.keys(value).length === 0) return <span className="muted">none</span>;
	return <code className="json">{JSON.stringify(value, null, 2)}</code>;
}

type FormProps = { tenantId: string; user: User; stored: UserMetadata; onClose: () => void };

const ROWS = 8;

function MetadataForm({ tenantId, user, stored, onClose }: FormProps) {
	const { updateUserMetadata, userMetadataQuery } = useApi();
	const [text, setText] = useState(() => JSON.stringify(stored.metadata, null, 2));
	const metadata = parseObject(text);
	const save = useApiMutation({
		mutationFn: () => updateUserMetadata(tenantId, user.id, { metadata: metadata ?? {} }),
		successMessage: "Metadata saved.",
		invalidate: [userMetadataQuery(tenantId, user.id).queryKey],
		onSuccess: onClose,
	});
	return (
		<Form autoComplete="off" onSubmit={() => metadata && !save.isPending && save.mutate()}>
			{save.error && <Notice kind="danger">{save.error.message}</Notice>}
			<CodeArea
				label="Metadata"
				hint="A JSON object of at most 4,096 bytes. The user cannot change it."
				rows={ROWS}
				value={text}
				onValueChange={setText}
				error={metadata ? undefined : "This is not a JSON object."}
			/>
			<footer className="dialog-foot">
				<Button onClick={onClose}>Cancel</Button>
				<Button
					kind="primary"
					type="submit"
					busy={save.isPending}
					unavailable={whyNotSent(metadata !== null)}
				>
					Save
				</Button>
			</footer>
		</Form>
	);
}

function parseObject(text: string): Record<string, unknown> | null {
	try {
		const value: unknown = JSON.parse(text);
		const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
		return isObject ? { ...value } : null;
	} catch {
		return null;
	}
}
