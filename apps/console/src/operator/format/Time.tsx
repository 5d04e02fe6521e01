import { formatDay, formatMoment } from "./moment";

type TimeProps = { moment: string; withHour?: boolean };

/** A moment on one line, where the reader is. */
export function Time({ moment, withHour = true }: TimeProps) {
	return (
		<time className="time" dateTime={moment}>
			{withHour ? formatMoment(moment) : formatDay(moment)}
		</time>
	);
}
