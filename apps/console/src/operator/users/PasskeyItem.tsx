import { useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { formatTime } from "../../format";
import { Button } from "../../ui/Button";
import { Confirm } from "../../ui/Dialog";
import { useApi } from "../api/context";
import { type Passkey, sessionsKey, type User, userKey } from "../api/users";

type PasskeyItemProps = { tenantId: string; user: User; passkey: Passkey; canRemove: boolean };

/** A passkey among the sign-in methods of a user. */
export function PasskeyItem({ tenantId, user, passkey, canRemove }: PasskeyItemProps) {
	const { removePasskey } = useApi();
	const { id, backedUp, createdAt } = passkey;
	const name = passkey.name ?? "Without a name";
	const [isOpen, setOpen] = useState(false);
	const remove = useApiMutation({
		mutationFn: () => removePasskey(tenantId, user.id, id),
		successMessage: "Passkey removed.",
		invalidate: [userKey(tenantId, user.id), sessionsKey(tenantId)],
		onSuccess: () => setOpen(false),
	});
	return (
		<li>
			<span>
				<strong>Passkey</strong>
				<span className="muted small break subtext">
					{backedUp ? `${name}, synchronized` : name}
				</span>
			</span>
			<span className="row">
				{createdAt && <span className="muted small">added {formatTime(createdAt)}</span>}
				{canRemove && (
					<Button
						size="small"
						aria-label={`Remove the passkey ${name}`}
						onClick={() => setOpen(true)}
					>
						Remove
					</Button>
				)}
			</span>
			<Confirm
				title="Remove this passkey?"
				action="Remove passkey"
				open={isOpen}
				mutation={remove}
				onClose={() => setOpen(false)}
			>
				<p>
					{user.email} cannot sign in with the passkey “{name}” any more, and is signed out
					everywhere. A user without another way to sign in needs a password reset.
				</p>
			</Confirm>
		</li>
	);
}
