"""How a limit is shared between people and background jobs: a pure function of the recent activity.

The more requests of people, the more is reserved for them; after a long time without any, jobs get all.
"""

import math
from dataclasses import dataclass
from typing import Literal

from core.stores.interfaces import ActivityLevel

Trend = Literal["none", "increasing", "stable", "decreasing"]


@dataclass(frozen=True)
class AdaptiveSettings:
    """Times in milliseconds; thresholds count requests of people within the monitoring window."""

    monitoring_window_ms: int = 900_000
    high_activity_threshold: int = 10
    moderate_activity_threshold: int = 3
    recalculation_interval_ms: int = 30_000
    sustained_inactivity_threshold_ms: int = 1_800_000
    background_pause_on_increasing_trend: bool = True
    max_user_scaling: float = 2.0
    min_user_reserved: int = 5

    def __post_init__(self) -> None:
        times = (
            self.monitoring_window_ms,
            self.recalculation_interval_ms,
            self.sustained_inactivity_threshold_ms,
        )
        if min(times) <= 0 or self.max_user_scaling <= 0:
            raise ValueError("Times and the scaling of an adaptive limit must be above 0.")
        if self.moderate_activity_threshold < 0 or self.min_user_reserved < 0:
            raise ValueError("Thresholds and the reserve of an adaptive limit must be 0 or more.")
        if self.moderate_activity_threshold >= self.high_activity_threshold:
            raise ValueError("The threshold for moderate activity must be below that for high activity.")


@dataclass(frozen=True)
class Activity:
    """Recent requests: in the window, in its last third and in the third before that."""

    user_requests: int
    latest_user_requests: int
    earlier_user_requests: int
    background_requests: int
    last_user_at: int | None
    last_background_at: int | None

    @property
    def trend(self) -> Trend:
        latest, earlier = self.latest_user_requests, self.earlier_user_requests
        if latest == earlier == 0:
            return "none"
        if latest > 1.5 * earlier:
            return "increasing"
        return "decreasing" if latest < 0.5 * earlier else "stable"


@dataclass(frozen=True)
class Capacity:
    user_reserved: int
    background_max: int
    background_paused: bool
    activity_level: ActivityLevel
    reason: str


def capacity(limit: int, activity: Activity, settings: AdaptiveSettings, now: int) -> Capacity:
    """The shares of the limit from now on."""
    level = _level(activity, settings)
    reserved, reason = _reserved(limit, level, activity, settings, now)
    reserved = min(limit, reserved)
    paused = (
        level == "high" and settings.background_pause_on_increasing_trend and activity.trend == "increasing"
    )
    if paused:
        reason += "; background requests are paused"
    return Capacity(reserved, limit - reserved, paused, level, reason)


def _level(activity: Activity, settings: AdaptiveSettings) -> ActivityLevel:
    if activity.user_requests >= settings.high_activity_threshold:
        return "high"
    # Without any request there is no activity, however low the threshold.
    if activity.user_requests and activity.user_requests >= settings.moderate_activity_threshold:
        return "moderate"
    return "low"


def _reserved(
    limit: int, level: ActivityLevel, activity: Activity, settings: AdaptiveSettings, now: int
) -> tuple[int, str]:
    summary = f"{activity.user_requests} user requests, trend {activity.trend}"
    base = max(limit * 3 // 10, settings.min_user_reserved)
    match level:
        case "high":
            scaled = math.floor(limit * settings.max_user_scaling / 2)
            return min(limit * 9 // 10, scaled), f"High user activity ({summary})"
        case "moderate":
            # 0.8 * 1.5 is not exactly 1.2; what is whole must stay whole.
            scaled = math.floor(round(limit * 4 // 10 * _multiplier(activity, settings), 6))
            return min(limit * 7 // 10, scaled), f"Moderate user activity ({summary})"
    if activity.user_requests:
        return base, f"Low user activity ({summary})"
    if activity.last_user_at is None and activity.last_background_at is None:
        return base, "Initial state: no request is known"
    if activity.last_user_at is None:
        return settings.min_user_reserved, "No user request is known"
    if now - activity.last_user_at > settings.sustained_inactivity_threshold_ms:
        return 0, "Sustained inactivity: no user request for long"
    return settings.min_user_reserved, "No recent user request"


def _multiplier(activity: Activity, settings: AdaptiveSettings) -> float:
    share = 1 + activity.user_requests / settings.high_activity_threshold
    by_trend = {"increasing": 1.2, "decreasing": 0.8}.get(activity.trend, 1.0)
    return max(1.0, min(settings.max_user_scaling, share) * by_trend)
