import { useState } from "react";
import { Link } from "react-router";
import { callApi } from "../../api/client";
import { sessionQuery } from "../../sign-in/session-queries";
import { useReturnUrl, useTenant } from "../../sign-in/tenant-context";
import { useTexts } from "../../sign-in/texts/texts";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Badge } from "../../ui/feedback";
import { Card } from "../../ui/layout";
import { PasswordForm } from "../PasswordForm";
import { sessionsQuery } from "../queries";
import { RecoveryCodes } from "../RecoveryCodes";

type Action = "turnOff" | "newCodes";

/** Two-step verification: set it up, turn it off, or get new recovery codes. */
export function SecondFactorCard({ isEnabled }: { isEnabled: boolean }) {
	const { options } = useTenant();
	const { account } = useTexts();
	const { search } = useReturnUrl();
	const [action, setAction] = useState<Action | null>(null);
	const { secondFactorRequired, tenant } = options;
	return (
		<Card
			title={account.secondFactor}
			hint={
				secondFactorRequired
					? `${account.secondFactorHint} ${account.requiredByTenant(tenant.name)}`
					: account.secondFactorHint
			}
			actions={
				<Badge kind={isEnabled ? "success" : "neutral"}>
					{isEnabled ? account.on : account.off}
				</Badge>
			}
		>
			<div className="row">
				{isEnabled ? (
					<>
						<Button onClick={() => setAction("newCodes")}>{account.newCodes}</Button>
						{!secondFactorRequired && (
							<Button onClick={() => setAction("turnOff")}>{account.turnOff}</Button>
						)}
					</>
				) : (
					<Link className="button button-secondary" to={`/second-factor${search}`}>
						{account.setUp}
					</Link>
				)}
			</div>
			<ActionDialog action={action} onClose={() => setAction(null)} />
		</Card>
	);
}

function ActionDialog({ action, onClose }: { action: Action | null; onClose: () => void }) {
	const { account } = useTexts();
	return (
		<Dialog title={action ? account[action] : ""} open={action !== null} onClose={onClose}>
			{action && <ActionForm action={action} onClose={onClose} />}
		</Dialog>
	);
}

function ActionForm({ action, onClose }: { action: Action; onClose: () => void }) {
	const tenant = useTenant();
	const { account, ui } = useTexts();
	const [codes, setCodes] = useState<string[] | null>(null);
	const { twoFactor } = tenant.client;
	if (codes) {
		return (
			<>
				<RecoveryCodes codes={codes} />
				<footer className="dialog-foot">
					<Button kind="primary" onClick={onClose}>
						{account.done}
					</Button>
				</footer>
			</>
		);
	}
	return (
		<PasswordForm
			mutationFn={async (body) => {
				if (action === "newCodes") {
					setCodes((await callApi(twoFactor.generateBackupCodes(body))).backupCodes);
				} else await callApi(twoFactor.disable(body));
			}}
			{...(action === "turnOff" ? { successMessage: account.turnedOff } : {})}
			// A new session replaces the current one.
			invalidate={[sessionQuery(tenant).queryKey, sessionsQuery(tenant).queryKey]}
			onSuccess={() => {
				if (action === "turnOff") onClose();
			}}
			buttons={(isPending) => (
				<footer className="dialog-foot">
					<Button onClick={onClose}>{ui.cancel}</Button>
					<Button kind={action === "turnOff" ? "danger" : "primary"} type="submit" busy={isPending}>
						{account[action]}
					</Button>
				</footer>
			)}
		>
			{action === "newCodes" && <p>{account.newCodesHint}</p>}
		</PasswordForm>
	);
}
