import { useState } from "react";
import { deviceOf } from "../../device";
import { Button } from "../../ui/Button";
import { ConfirmBySlug } from "../../ui/ConfirmBySlug";
import { endSession, type TenantSession } from "../api/users";
import { useChange } from "../change";
import { userKey } from "./user-key";

type EndSessionProps = { tenantId: string; session: TenantSession };

export function EndSession({ tenantId, session }: EndSessionProps) {
	const { id, user, userAgent } = session;
	const [isAsking, setAsking] = useState(false);
	const end = useChange({
		change: () => endSession(tenantId, user.id, id),
		said: "The session is ended.",
		refresh: [["sessions", tenantId], userKey(tenantId, user.id)],
		after: () => setAsking(false),
	});
	return (
		<>
			<Button
				size="small"
				aria-label={`End the session of ${user.email} with ${deviceOf(userAgent)}`}
				onClick={() => setAsking(true)}
			>
				End
			</Button>
			<ConfirmBySlug
				title="End this session?"
				slug={user.email}
				what="the address"
				action="End session"
				open={isAsking}
				busy={end.isPending}
				error={end.error?.message}
				onConfirm={() => end.mutate()}
				onClose={() => setAsking(false)}
			>
				<p>
					{user.name || user.email} is signed out of {deviceOf(userAgent)} and can sign in again.
				</p>
			</ConfirmBySlug>
		</>
	);
}
