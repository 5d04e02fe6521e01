import { useState } from "react";
import { unwrap } from "../../api/unwrap";
import { Button } from "../../ui/Button";
import { Card } from "../../ui/Card";
import { ConfirmBySlug } from "../../ui/ConfirmBySlug";
import { Notice } from "../../ui/Notice";
import { messageOf } from "../messages";
import { useTenant } from "../tenant-context";
import { useCall } from "../use-call";

/** The account goes once the link of the mail was opened, in a browser that is signed in. */
export function DeleteCard({ user }: { user: { email: string } }) {
	const { client, options, pageUrl } = useTenant();
	const [asking, setAsking] = useState(false);
	const remove = useCall(
		() => unwrap(client.deleteUser({ callbackURL: pageUrl("deleted") })),
		() => setAsking(false),
	);
	return (
		<Card title="Delete this account">
			{remove.isSuccess ? (
				<Notice kind="info">
					We have sent a link to <strong>{user.email}</strong>. Open it in this browser, and the
					account is deleted.
				</Notice>
			) : (
				<>
					<p className="muted">
						Your account at {options.tenant.name} and everything that belongs to it go for good. We
						ask once more by mail.
					</p>
					<div>
						<Button kind="danger" onClick={() => setAsking(true)}>
							Delete account
						</Button>
					</div>
				</>
			)}
			<ConfirmBySlug
				title="Delete your account?"
				slug={user.email}
				what="your address"
				action="Send me the last link"
				open={asking}
				busy={remove.isPending}
				error={remove.error ? messageOf(remove.error) : undefined}
				onConfirm={() => remove.mutate()}
				onClose={() => setAsking(false)}
			>
				<p>This cannot be undone.</p>
			</ConfirmBySlug>
		</Card>
	);
}
