import { type FormEvent, useState } from "react";
import { unwrap } from "../../api/unwrap";
import { Badge } from "../../ui/Badge";
import { Button } from "../../ui/Button";
import { Card } from "../../ui/Card";
import { Notice } from "../../ui/Notice";
import { TextField } from "../../ui/TextField";
import { messageOf } from "../messages";
import { useTenant } from "../tenant-context";
import { useCall } from "../use-call";

type EmailCardProps = { user: { email: string; emailVerified: boolean } };

export function EmailCard({ user }: EmailCardProps) {
	const { client, pageUrl } = useTenant();
	const [email, setEmail] = useState(user.email);
	const change = useCall(() =>
		unwrap(client.changeEmail({ newEmail: email, callbackURL: pageUrl("verify/changed") })),
	);
	const confirm = useCall(() =>
		unwrap(
			client.sendVerificationEmail({ email: user.email, callbackURL: pageUrl("verify/done") }),
		),
	);
	const submit = (event: FormEvent) => {
		event.preventDefault();
		change.mutate();
	};
	return (
		<Card
			title="E-mail address"
			actions={
				user.emailVerified ? (
					<Badge kind="success">Confirmed</Badge>
				) : (
					<Badge kind="warning">Not confirmed</Badge>
				)
			}
		>
			{change.isSuccess && (
				<Notice kind="success">
					{user.emailVerified
						? "We have written to your present address. Open the link there first, then the one that reaches the new address."
						: "We have written to the new address. Open the link there, and the change is made."}
				</Notice>
			)}
			{confirm.isSuccess && <Notice kind="success">A mail with a link is on its way.</Notice>}
			{confirm.error && <Notice kind="danger">{messageOf(confirm.error)}</Notice>}
			<form className="account-form" onSubmit={submit}>
				<TextField
					label="Address"
					type="email"
					name="email"
					autoComplete="email"
					required
					value={email}
					onChange={(event) => setEmail(event.target.value)}
					error={change.error && messageOf(change.error)}
				/>
				<div className="row">
					<Button
						type="submit"
						busy={change.isPending}
						disabled={email.toLowerCase() === user.email}
					>
						Change address
					</Button>
					{!user.emailVerified && (
						<Button busy={confirm.isPending} onClick={() => confirm.mutate()}>
							Confirm this address
						</Button>
					)}
				</div>
			</form>
		</Card>
	);
}
