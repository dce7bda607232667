/** A time in the local zone, to the second. */
export function localTime(time: number): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return String(time)
  const [year, month, day] = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':')
  return `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)} ${clock}`
}

/** The time of day in the local zone, to the millisecond. */
export function localClock(time: number): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return String(time)
  return `${localTime(time).slice(-8)}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

/** A time as ISO 8601 in UTC; the number itself where it is too far off for that. */
export function isoTime(time: number): string | number {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? time : date.toISOString()
}

/** A length of time, short. It can be negative: clocks step back. */
export function duration(milliseconds: number): string {
  if (milliseconds < 0) return `-${duration(-milliseconds)}`
  if (milliseconds < 1_000) return `${milliseconds} ms`
  if (milliseconds < 59_950) return `${(milliseconds / 1_000).toFixed(1)} s`
  const seconds = Math.round(milliseconds / 1_000)
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${twoDigits(seconds % 60)} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 2_880) return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`
  return `${Math.round(minutes / 1_440)} d`
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
